import type { VirtualMachine } from '@azure/arm-compute'
import { expect, test } from 'vitest'
import { refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

/** The very request that made m1, but for what is given. */
async function again(azure: AzureFixture, over: Partial<VirtualMachine>): Promise<void> {
  const nic = await azure.makeInterface('m1-nic')
  await azure.put('m1', { ...usualMachine(azure.simulator.facts, 'm1', nic), ...over })
}

const regular = { priority: 'Regular', evictionPolicy: undefined, billingProfile: undefined } as never
const unsaid = { priority: undefined, evictionPolicy: undefined, billingProfile: undefined } as never
const profile = (azure: AzureFixture) => usualMachine(azure.simulator.facts, 'm1', '')

test('what a GET shows can be put back with other tags', async () => {
  await using azure = await startAzure()
  const id = await azure.launchRunning('m1', { userData: Buffer.from('hello').toString('base64') })
  const shown = await azure.look('m1')
  await azure.put('m1', { ...shown, tags: { more: 'yes' } })
  expect(await azure.look('m1')).toEqual({ ...shown, tags: { more: 'yes' }, etag: expect.any(String) as string })
  expect(shown.vmId).toBe(id)
})

test.each<[string, (azure: AzureFixture) => Partial<VirtualMachine>, [number, string]]>([
  ['another location', () => ({ location: 'eastus' }), [409, 'InvalidResourceLocation']],
  ['no location', () => ({ location: undefined }) as never, [400, 'LocationRequired']],
  ['another zone', () => ({ zones: ['2'] }), [409, 'PropertyChangeNotAllowed']],
  ['another eviction policy', () => ({ evictionPolicy: 'Delete' }), [409, 'PropertyChangeNotAllowed']],
  ['another priority', () => regular, [409, 'PropertyChangeNotAllowed']],
  [
    'another price while it has its place',
    () => ({ billingProfile: { maxPrice: 0.5 } }),
    [409, 'MaxPriceChangeNotAllowedForAllocatedVMs'],
  ],
  [
    'other custom data',
    (azure) => ({ osProfile: { ...profile(azure).osProfile, customData: 'AAAA' } }),
    [409, 'PropertyChangeNotAllowed'],
  ],
  ['other user data', () => ({ userData: 'AAAA' }), [501, 'NotSimulated']],
  [
    'another disk',
    (azure) => ({
      storageProfile: {
        ...profile(azure).storageProfile,
        dataDisks: [{ lun: 0, createOption: 'Empty', diskSizeGB: 8 }],
      },
    }),
    [501, 'NotSimulated'],
  ],
])('refused to a spot machine that is there: %s', async (_, over, [status, code]) => {
  await using azure = await startAzure()
  await azure.launchRunning('m1')
  const before = await azure.look('m1')
  const tags = { never: 'seen' }
  expect(await refusalOf(again(azure, { ...over(azure), tags }))).toMatchObject({ status, code })
  expect(await azure.look('m1')).toEqual(before)
})

test.each<[string, Partial<VirtualMachine>, string]>([
  ['that market', { priority: 'Spot' }, 'VMPriorityCannotBeApplied'],
  ['an eviction policy', { evictionPolicy: 'Delete' }, 'EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines'],
  ['a price', { billingProfile: { maxPrice: 1 } }, 'MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines'],
])('a machine that is not of the spot market is refused: %s', async (_, over, code) => {
  await using azure = await startAzure()
  await azure.launchRunning('m1', unsaid)
  expect(await refusalOf(again(azure, { ...(unsaid as object), ...over }))).toMatchObject({ status: 400, code })
})

test('while there is no capacity what failed is not tried again, and nothing of it changes', async () => {
  await using azure = await startAzure()
  azure.simulator.control.failNextLaunch('AllocationFailed')
  await azure.launchRunning('m1')
  azure.simulator.control.noCapacity()
  const before = await azure.look('m1')
  const tags = { never: 'seen' }
  expect(await refusalOf(again(azure, { tags }))).toMatchObject({ status: 409, code: 'SkuNotAvailable' })
  expect(await azure.look('m1')).toEqual(before)
})
