import { expect, it } from 'vitest'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { AbsenceProof } from './absence.ts'

const scope = { cloud: 'ibm', identity: 'default', account: 'ours', region: 'r1' } as const

function proofWith({ account = 'ours', sees = true }: { account?: string; sees?: boolean }) {
  const asked: string[] = []
  const proof = new AbsenceProof({
    accountOf: () => Promise.resolve(account),
    seesSubnet: (id) => Promise.resolve(asked.push(id) > 0 && sees),
    keepMs: 1_000,
  })
  return { asked, holds: (over: object = {}) => proof.holds({ scope, subnet: 'subnet-1', ...over }, quietCtx()) }
}

it('holds with credentials of the account that see the subnet, which is asked for once', async () => {
  const { asked, holds } = proofWith({})
  expect(await holds()).toBe(true)
  expect(await holds()).toBe(true)
  expect(asked).toEqual(['subnet-1'])
})

it('does not hold with credentials of another account, or where the subnet is not seen either', async () => {
  const elsewhere = proofWith({ account: 'another' })
  expect(await elsewhere.holds()).toBe(false)
  expect(elsewhere.asked).toEqual([])
  expect(await proofWith({ sees: false }).holds()).toBe(false)
})

it('needs nothing of an instance that is known to have ended', async () => {
  const { asked, holds } = proofWith({ account: 'another', sees: false })
  expect(await holds({ needsNoProof: true })).toBe(true)
  expect(asked).toEqual([])
})
