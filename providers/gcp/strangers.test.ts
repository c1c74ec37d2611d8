import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { home, openGcpRig, type GcpRig, type Wish } from '../../test/support/clouds/gcp-rig.ts'
import { tagOf } from '../shared/ownership.ts'

let rig: GcpRig
beforeEach(async () => {
  rig = await openGcpRig()
  await rig.listed()
})
afterEach(() => rig[Symbol.asyncDispose]())

const calls = () => Object.keys(rig.calls()).filter((action) => !action.endsWith('List') && action !== 'token')
const states = () => rig.simulator.control.instances().map(({ name, state }) => [name, state])

/** An instance that somebody else runs in the same project. */
async function stranger(): Promise<void> {
  const { facts } = rig.simulator
  await rig.somebody('POST', `zones/${home}/instances`, {
    name: 'victim',
    machineType: `zones/${home}/machineTypes/e2-standard-4`,
    disks: [{ boot: true, autoDelete: true, initializeParams: { sourceImage: facts.image } }],
    networkInterfaces: [{ subnetwork: `projects/${facts.project}/regions/${facts.region}/subnetworks/spot` }],
  })
  await rig.settle()
}

const elsewhere = `${home}/instances/victim/stop?quotaUser=`

describe('text of a tenant leads to no other call: a stranger’s instance is left alone', () => {
  it.each<[string, Wish]>([
    ['Machine.spec.failureDomain', { zone: elsewhere }],
    ['the zone in the annotation of an attempt', { at: { subnet: 'spot', zone: elsewhere } }],
  ])('%s', async (_, wish) => {
    await stranger()
    const before = calls()
    await expect(rig.create(wish)).rejects.toMatchObject({ name: 'CloudError', kind: 'invalid' })
    await rig.settle()
    expect(calls()).toEqual(before)
    expect(states()).toEqual([['victim', 'RUNNING']])
  })

  it.each(['', home, `${home}/`, `${home}/victim`, `${home}/1/stop`, `${home}/../instances/1`, '../1', '/1'])(
    'the handle "%s" in the annotation of an attempt is no instance’s id: nothing is asked, and nothing is called gone',
    async (id) => {
      const which = {
        scope: rig.scope,
        id,
        tag: tagOf({ owner: 'ownerone01', machine: 'default/m', token: 'tokennumber1' }),
      }
      const refused = { name: 'CloudError', kind: 'invalid', code: 'InvalidId' }
      await expect(rig.cloud().instances.find(which, rig.ctx())).rejects.toMatchObject(refused)
      await expect(rig.cloud().instances.terminate(which, rig.ctx())).rejects.toMatchObject(refused)
      expect(calls()).toEqual([])
    },
  )

  it('the project in the annotation of an attempt', async () => {
    const scope = { ...rig.scope, account: `${rig.scope.account}/zones/${home}/instances/victim?` }
    const which = {
      scope,
      id: `${home}/1`,
      tag: tagOf({ owner: 'ownerone01', machine: 'default/m', token: 'tokennumber1' }),
    }
    await expect(rig.cloud().instances.find(which, rig.ctx())).rejects.toMatchObject({ kind: 'invalid' })
    expect(calls()).toEqual([])
  })
})
