import { expect, it } from 'vitest'
import { useEc2 } from '../../../test/simulators/aws/use-ec2.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { Sqs } from './sqs.ts'

const name = 'interruptions'
const ec2 = useEc2('SQS')

it('a body of 1 MiB comes empty, with the receipt that deletes it; one of 256 KiB comes whole', async () => {
  const { control } = ec2().simulator
  control.addQueue(name)
  // Each quote is two bytes of the answer.
  const bodies = ['x'.repeat(1_048_576), '"'.repeat(262_144), '{}']
  for (const body of bodies) control.sendToQueue(name, body)
  const sqs = new Sqs(`https://sqs.us-east-1.amazonaws.com/123456789012/${name}`, {})
  const ctx = quietCtx({ clock: ec2().clock })
  try {
    const messages = await sqs.receive({ most: 10, waitSeconds: 0, hiddenSeconds: 30 }, ctx)
    expect(messages.map(({ Body }) => Body)).toEqual(['', ...bodies.slice(1)])
    const receipts = messages.map(({ ReceiptHandle = '' }) => ReceiptHandle)
    expect(await sqs.delete(receipts, ctx)).toEqual([])
    expect(control.queues()).toMatchObject([{ visible: 0, hidden: 0 }])
  } finally {
    sqs.close()
  }
})
