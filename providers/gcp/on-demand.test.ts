import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { load } from 'js-yaml'
import { readFileSync } from 'node:fs'
import { openGcpProject, type GcpProject } from '../../test/support/clouds/gcp-project.ts'
import { FakeLookups, wantedWith } from '../../test/support/clouds/gcp-specs.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { gcpCloud } from './cloud.ts'
import { neverMoved } from './lookups/facts.ts'
import { plan } from './launch/plan.ts'
import type { GcpRequest } from './launch/request.ts'

let project: GcpProject
beforeEach(async () => {
  project = await openGcpProject()
})
afterEach(() => project[Symbol.asyncDispose]())

/** As a user has it who leaves out whatever may be left out. */
const wanted = (instanceType: string) => {
  const { facts } = project.simulator
  return wantedWith({
    failureDomain: 'us-central1-a',
    machine: { instanceType, image: facts.image },
    cluster: { project: facts.project, region: facts.region, network: { subnets: [{ name: 'spot' }] } },
  })
}
const launched = async (instanceType: string) => {
  const cloud = gcpCloud()
  const { request } = await cloud.plan(wanted(instanceType), project.ctx())
  const whose = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
  const launch = { ...whose, scope: project.scope, request, userData: new Uint8Array(), clusterName: 'c1' }
  return cloud.instances.create(launch, project.ctx())
}

describe('on demand, with nothing said of the host’s maintenance', () => {
  it.each(['g2-standard-4', 'a2-highgpu-1g'])(
    'GCE takes a type with accelerators of its own, %s, which it moves to no other host',
    async (instanceType) => {
      expect(await launched(instanceType)).toMatchObject({ state: 'pending', capacityType: 'OnDemand' })
    },
  )

  it('other types keep what GCE does with them', async () => {
    await launched('e2-standard-4')
    const insert = project.simulator.control.requests().find(({ action }) => action === 'instances.insert')
    expect(JSON.stringify(insert)).not.toContain('onHostMaintenance')
  })
})

describe('types that GCE never moves to another host', () => {
  const schedulingOf = async (instanceType: string, lookups = new FakeLookups(), more = {}) => {
    const { request } = await plan(wantedWith({ machine: { instanceType, ...more } }), lookups, quietCtx())
    return (request as GcpRequest).run.scheduling.onHostMaintenance
  }

  it.each([
    'a2-highgpu-1g',
    'a3-megagpu-8g',
    'a4-highgpu-8g',
    'a4x-highgpu-4g',
    'g2-standard-4',
    'g4-standard-48',
    'ct5lp-hightpu-4t',
    'tpu7x-standard-4t',
    'h4d-standard-192',
    'c3-highcpu-192-metal',
  ])('%s is one by its name', (name) => {
    expect(neverMoved.test(name)).toBe(true)
  })

  it.each(['e2-standard-4', 'n1-standard-4', 'c4a-standard-4', 'z3-highmem-88', 'custom-4-8192', 'n2-custom-4-8192'])(
    '%s is none',
    (name) => {
      expect(neverMoved.test(name)).toBe(false)
    },
  )

  it('are known by the accelerators that GCE shows, too; for who has said Terminate nothing is looked up', async () => {
    const lookups = new FakeLookups()
    lookups.staying = ['new5-highgpu-8g']
    expect(await schedulingOf('new5-highgpu-8g', lookups)).toBe('TERMINATE')
    expect(await schedulingOf('new5-highgpu-8g', lookups, { onHostMaintenance: 'Migrate' })).toBe('TERMINATE')
    lookups.asked.length = 0
    await schedulingOf('new5-highgpu-8g', lookups, { onHostMaintenance: 'Terminate' })
    await schedulingOf('new5-highgpu-8g', lookups, { provisioningModel: 'Spot' })
    expect(lookups.asked).toEqual([])
  })

  it.each(['GCPMachine', 'GCPMachineTemplate'])('are refused Migrate by the CRD of %s, by the same pattern', (kind) => {
    const text = readFileSync(new URL(`../../crds/${kind}.yaml`, import.meta.url), 'utf8')
    expect(JSON.stringify(load(text))).toContain(JSON.stringify(`matches('${neverMoved.source}')`).slice(1, -1))
  })
})
