import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { useEc2 } from '../../../test/simulators/aws/use-ec2.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { Sqs } from './sqs.ts'

const name = 'interruptions'
const ec2 = useEc2('SQS')

const open = () => new Sqs(`https://sqs.us-east-1.amazonaws.com/123456789012/${name}`, {})

it('a body of 1 MiB comes empty, with the receipt that deletes it; one of 256 KiB comes whole', async () => {
  const { control } = ec2().simulator
  control.addQueue(name)
  // Each quote is two bytes of the answer.
  const bodies = ['x'.repeat(1_048_576), '"'.repeat(262_144), '{}']
  for (const body of bodies) control.sendToQueue(name, body)
  const sqs = open()
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

it('all answers come into the same memory, whatever their socket', async () => {
  const { control } = ec2().simulator
  control.addQueue(name)
  for (const _ of [1, 2, 3, 4]) control.sendToQueue(name, 'x'.repeat(262_144))
  const memory = new Set<ArrayBufferLike>()
  let sockets = 0
  const note = (made: unknown) => {
    sockets += 1
    const { socket } = made as { socket: Socket }
    socket.on('data', ({ buffer }: Uint8Array) => memory.add(buffer))
  }
  const sqs = open()
  const receive = async () => {
    const wanted = { most: 1, waitSeconds: 0, hiddenSeconds: 30 }
    const [message] = await sqs.receive(wanted, quietCtx({ clock: ec2().clock }))
    expect(message?.Body).toHaveLength(262_144)
  }
  subscribe('net.client.socket', note)
  try {
    await Promise.all([receive(), receive()])
    await Promise.all([receive(), receive()])
    // A busy computer may take a third one, because the server ends those that rest.
    expect(sockets).toBeGreaterThanOrEqual(2)
    expect(memory.size).toBe(1)
  } finally {
    unsubscribe('net.client.socket', note)
    sqs.close()
  }
})
