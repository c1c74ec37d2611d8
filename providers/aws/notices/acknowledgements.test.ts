import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { Acknowledgements } from './acknowledgements.ts'

it('eight calls at most are under way; what waits goes with the next ones, ten at a time', async () => {
  const clock = new FakeClock()
  const calls: { readonly receipts: readonly string[]; readonly answer: () => void }[] = []
  const acknowledgements = new Acknowledgements(
    {
      delete: (receipts) => {
        const { promise, resolve } = Promise.withResolvers<[]>()
        calls.push({ receipts, answer: () => resolve([]) })
        return promise
      },
    },
    quietCtx({ clock }),
  )
  for (let n = 0; n < 101; n++) acknowledgements.add(String(n))
  await clock.advance(1_000)
  expect(calls.map(({ receipts }) => receipts.length)).toEqual(Array.from({ length: 8 }, () => 10))
  // Each answer lets one more call begin. The last of them waits for company.
  for (let n = 0; n < 8; n++) calls[n]?.answer()
  await clock.advance(49)
  expect(calls).toHaveLength(10)
  await clock.advance(1_000)
  expect(calls.flatMap(({ receipts }) => receipts)).toEqual(Array.from({ length: 101 }, (_, n) => String(n)))
})
