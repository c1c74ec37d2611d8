import { nameFor } from '../../shared/instance-name.ts'
import { describe, expect, it } from 'vitest'
import { nothingLeft, startAzureRig, type AzureRig } from '../../../test/support/clouds/azure-rig.ts'
import { clientsOf, usualInterface } from '../../../test/simulators/azure/fixture.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Launch } from '../../instances.ts'
import { interfacePath, type VmAddress } from '../wire/resource-ids.ts'

function vmOf(want: Launch): VmAddress {
  return { scope: want.scope, group: want.scope.within ?? '', name: nameFor(want) }
}

describe('create', () => {
  it('is two calls, and none of them a look, once a list has shown that the name is new', async () => {
    const { create, actions, listed } = await startAzureRig()
    await listed()
    const before = actions().length
    await create()
    expect(actions().slice(before)).toEqual(['NetworkInterfaces_CreateOrUpdate', 'VirtualMachines_CreateOrUpdate'])
  })

  it('looks first in a process that has no list yet: Azure has no condition for making an interface', async () => {
    const { create, actions } = await startAzureRig()
    await create()
    expect(actions()).toEqual([
      'NetworkInterfaces_Get',
      'NetworkInterfaces_CreateOrUpdate',
      'VirtualMachines_CreateOrUpdate',
    ])
  })

  it.each(['before the first list', 'in the list'])('leaves the interface of a stranger as it is: %s', async (when) => {
    const { create, control, facts, simulator, launch, listed, actions } = await startAzureRig()
    const { network } = clientsOf(simulator)
    const name = `${nameFor(launch())}-nic`
    const nic = { ...usualInterface(facts), tags: { whose: 'a stranger' } }
    await network.networkInterfaces.createOrUpdate(facts.resourceGroup, name, nic).submitted()
    if (when === 'in the list') await listed()
    await expect(create()).rejects.toMatchObject({ kind: 'conflict', code: 'NotOurs' })
    expect((await network.networkInterfaces.get(facts.resourceGroup, name)).tags).toEqual({ whose: 'a stranger' })
    expect(actions()).not.toContain('NetworkInterfaces_CreateOrUpdate')
    expect(control.instances()).toEqual([])
  })

  it('sends no If-None-Match for an interface, which no model of Azure has, and makes nothing twice', async () => {
    const { create, refused, control } = await startAzureRig()
    for (const cut of ['NetworkInterfaces_CreateOrUpdate', 'VirtualMachines_CreateOrUpdate']) {
      control.answerLostAfterCommit(cut)
      expect(await refused()).toMatchObject({ kind: 'ambiguous' })
    }
    await create()
    const { interfaces } = control.remains()
    expect([interfaces.length, control.instances().length]).toEqual([1, 1])
    const asked = control.requests().filter(({ action }) => action === 'NetworkInterfaces_CreateOrUpdate')
    expect(asked.map((one) => JSON.stringify(one).includes('"condition"'))).toEqual([false])
  })

  it('again finds the interface, then the machine, and changes neither', async () => {
    const { create, actions, control } = await startAzureRig()
    const first = await create()
    const again = await create({ machine: { vmSize: 'Standard_D4s_v5' } })
    expect(again.id).toBe(first.id)
    expect(again.instanceType).toBe('Standard_D2s_v5')
    expect(actions().slice(3)).toEqual(['NetworkInterfaces_Get', 'VirtualMachines_Get'])
    expect(control.remains().interfaces).toHaveLength(1)
  })

  it.each<[because: string, failing: string, code: string, field: RegExp]>([
    [
      'a group',
      'NetworkInterfaces_CreateOrUpdate',
      'ResourceGroupNotFound',
      /^spec\.resourceGroup of the AzureCluster: /,
    ],
    ['an image', 'VirtualMachines_CreateOrUpdate', 'NotFound', /^spec\.image of the AzureMachine: /],
  ])('that names %s which is not there is refused for good, by our field, and leaves nothing', async (...the) => {
    const [, failing, code, field] = the
    const { create, control, settle } = await startAzureRig()
    control.failNext(failing, 1, { code, message: "The Image 'lost' cannot be found.", status: 404 })
    const refusal = await create().catch((thrown: unknown) => thrown)
    expect(refusal).toMatchObject({ kind: 'invalid', code })
    expect((refusal as CloudError).message).toMatch(field)
    await settle()
    expect(control.remains()).toEqual(nothingLeft)
  })

  it('changes nothing of what is there, even where Azure does not show it yet', async () => {
    const { create, control, facts, simulator } = await startAzureRig()
    const { name = '' } = await create({ machine: { additionalTags: { team: 'first' } } })
    control.failNext('VirtualMachines_Get', 1, { code: 'ResourceNotFound', message: 'Not yet.' })
    expect(await create({ machine: { additionalTags: { team: 'second' } } })).toMatchObject({ name })
    const { compute, network } = clientsOf(simulator)
    const machine = await compute.virtualMachines.get(facts.resourceGroup, name)
    const nic = await network.networkInterfaces.get(facts.resourceGroup, `${name}-nic`)
    expect([machine.tags?.['team'], nic.tags?.['team']]).toEqual(['first', 'first'])
  })

  it('in a zone, with all that the list of states cannot say, is listed as it was bought', async () => {
    const { create, settle, listed } = await startAzureRig()
    await create({ failureDomain: '2', machine: { vmSize: 'Standard_D4s_v5' } })
    await settle()
    expect(await listed()).toMatchObject([
      { state: 'running', capacityType: 'Spot', instanceType: 'Standard_D4s_v5', zone: '2' },
    ])
  })

  it.each([
    ['quota', (r: AzureRig) => r.control.quota('lowPriorityCores', 1)],
    ['price', (r: AzureRig) => r.control.spotPrice('Standard_D2s_v5', 9)],
  ] as const)('beyond the %s leaves nothing behind', async (kind, limit) => {
    const all = await startAzureRig()
    limit(all)
    const error = await all.refused({ machine: { spotVMOptions: { maxPrice: '0.05' } } })
    expect(error.kind).toBe(kind)
    await all.settle()
    expect(all.control.remains()).toEqual(nothingLeft)
  })

  it('in a full subnet is refused before there is a machine', async () => {
    const { create, refused, actions, control } = await startAzureRig()
    const cluster = { networkSpec: { vnet: { name: 'spot' }, subnets: [{ name: 'tiny' }] } }
    for (const n of [1, 2, 3]) await create({ name: `m${n}`, token: `tokennumber${n}`, cluster })
    const before = control.remains()
    expect(await refused({ name: 'm4', token: 'tokennumber4', cluster })).toMatchObject({ kind: 'subnet' })
    expect(actions().at(-1)).toBe('NetworkInterfaces_CreateOrUpdate')
    expect(control.remains()).toEqual(before)
  })

  it('for which Azure keeps the interface says what is left, which goes when Azure lets go of it', async () => {
    const { create, launch, terminate, control, clock, listed } = await startAzureRig()
    control.noCapacity({ market: 'spot' })
    const made = await create()
    expect(made).toMatchObject({
      state: 'leftover',
      started: false,
      failure: { kind: 'capacity', code: 'SkuNotAvailable' },
    })
    expect(made.interrupted).toBeUndefined()
    expect(await listed()).toMatchObject([{ state: 'leftover', tag: made.tag }])
    await expect(terminate(launch())).rejects.toMatchObject({
      kind: 'transient',
      code: 'NicReservedForAnotherVm',
      retryAfterMs: 30_000,
    })
    await clock.advance(180_000)
    expect(await terminate(launch())).toBe('going')
    await clock.advance(10_000)
    expect(await terminate(launch())).toBe('gone')
    expect(control.remains()).toEqual(nothingLeft)
  })

  it('refused after an earlier one without an answer was carried out adopts that one', async () => {
    const { refused, create, control } = await startAzureRig()
    control.answerLostAfterCommit('VirtualMachines_CreateOrUpdate')
    expect(await refused()).toMatchObject({ kind: 'ambiguous' })
    // Azure cannot see the machine for a while, and says that it has no room for another.
    control.failNext('VirtualMachines_Get', 1, { code: 'ResourceNotFound', message: 'Not yet.' })
    control.failNext('VirtualMachines_CreateOrUpdate', 1, { code: 'SkuNotAvailable', message: 'No room.' })
    expect(await create()).toMatchObject({ state: 'pending' })
    expect(control.instances()).toHaveLength(1)
  })

  it('whose interface Azure does not see yet is asked for again, and not given up', async () => {
    const { refused, create, launch, control } = await startAzureRig()
    const message = `Resource ${interfacePath(vmOf(launch()))} referenced by resource ${nameFor(launch())} was not found.`
    control.failNext('VirtualMachines_CreateOrUpdate', 1, { code: 'InvalidResourceReference', message })
    expect(await refused()).toMatchObject({ kind: 'transient', code: 'InvalidResourceReference' })
    expect(await create()).toMatchObject({ state: 'pending' })
    expect(control.remains().interfaces).toHaveLength(1)
  })

  it('waits for a turn that is enough for both calls, and is sent away before the first', async () => {
    const { create, refused, control } = await startAzureRig({
      grantedLimits: { writes: { burst: 3, perSecond: 0.1 } },
    })
    await create()
    expect(await refused({ name: 'm2', token: 'tokennumber2' })).toMatchObject({ code: 'LocalRateLimit' })
    expect(control.remains().interfaces).toHaveLength(1)
  })

  it('tells nobody the bootstrap data, not even where Azure repeats it', async () => {
    const { launch, instances, control, ctx } = await startAzureRig()
    const secret = 'canary'.repeat(20)
    const want = { ...launch(), userData: new TextEncoder().encode(secret) }
    const encoded = Buffer.from(secret).toString('base64')
    const message = `The value ${encoded} is refused.`
    control.failNext('VirtualMachines_CreateOrUpdate', 1, { code: 'InvalidParameter', message })
    const error = await instances.create(want, ctx).catch((thrown: unknown) => thrown as CloudError)
    expect(error).toMatchObject({ kind: 'invalid', code: 'InvalidParameter' })
    expect(JSON.stringify([error, (error as Error).message, ctx.log])).not.toContain(encoded.slice(0, 20))
  })
})
