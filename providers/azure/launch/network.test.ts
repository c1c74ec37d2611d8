import { expect, it } from 'vitest'
import { scope, wantedWith, type Given } from '../../../test/support/clouds/azure-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { isAccelerated } from './network.ts'
import { typeFacts } from '../lookups/facts.ts'
import { readWanted } from './wanted.ts'

const sizes: Readonly<Record<string, object>> = {
  Standard_D2s_v5: { capabilities: [{ name: 'AcceleratedNetworkingEnabled', value: 'True' }] },
  Standard_B2s: { capabilities: [{ name: 'AcceleratedNetworkingEnabled', value: 'False' }] },
}
const answered = {
  instanceType: (name: string) => Promise.resolve(sizes[name] && typeFacts(sizes[name])),
}
const refused = (kind: RefusalKind) => ({
  instanceType: () => Promise.reject(new CloudError(kind, { code: 'C', message: 'm' })),
})
const accelerated = (given: Given, lookups: Parameters<typeof isAccelerated>[1] = answered) =>
  isAccelerated(readWanted(wantedWith(given), scope), lookups, quietCtx())

it('accelerates the network where the size supports it, as upstream does', async () => {
  expect(await accelerated({ machine: { vmSize: 'Standard_D2s_v5' } })).toBe(true)
  expect(await accelerated({ machine: { vmSize: 'Standard_B2s' } })).toBeUndefined()
  expect(await accelerated({ machine: { vmSize: 'Standard_Unknown' } })).toBeUndefined()
})

it('does as the machine says, without asking Azure', async () => {
  for (const said of [true, false]) {
    expect(await accelerated({ machine: { acceleratedNetworking: said } }, refused('transient'))).toBe(said)
    const networkInterfaces = [{ acceleratedNetworking: said }]
    expect(await accelerated({ machine: { networkInterfaces } }, refused('transient'))).toBe(said)
  }
})

it('launches without it where the list of sizes is denied, and asks again where the list fails', async () => {
  expect(await accelerated({}, refused('denied'))).toBeUndefined()
  await expect(accelerated({}, refused('transient'))).rejects.toMatchObject({ kind: 'transient' })
})
