import type { RefusalKind } from '../../api/refusal.ts'
import { gcpCloud } from '../../providers/gcp/cloud.ts'
import { openGcpProject } from '../support/clouds/gcp-project.ts'
import { wantedWith } from '../support/clouds/gcp-specs.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { usualInsert } from '../simulators/gcp/fixture.ts'
import type { GcpSimulator } from '../simulators/gcp/simulator.ts'
import { acceptingContract, type AcceptingRig } from './accepting.ts'
import { accountContract } from './account.ts'
import { instancesContract } from './instances.ts'
import { offeringsContract, type OfferingsRig, type Shop } from './offerings.ts'
import { asUsed, inCircles } from './rig.ts'
import { tenantsContract } from './tenants.ts'
import { tamperedContract } from './tampered.ts'

const words: Partial<Record<RefusalKind, string>> = {
  capacity: 'resourcePoolExhausted',
  quota: 'quotaExceeded',
  throttled: 'rateLimitExceeded',
  denied: 'forbidden',
  invalid: 'invalid',
}
const create = 'instances.insert'
const home = 'us-central1-a'

async function startRig(instanceTerminationAction: 'Stop' | 'Delete'): Promise<AcceptingRig & OfferingsRig> {
  const project = await openGcpProject()
  const { simulator, clock } = project
  const { facts, control, url } = simulator
  const cloud = asUsed(gcpCloud())
  const wanted = (instanceType: string) =>
    wantedWith({
      failureDomain: home,
      machine: { instanceType, image: facts.image, provisioningModel: 'Spot', instanceTerminationAction },
      cluster: { project: facts.project, region: facts.region, network: { subnets: [{ name: 'spot' }] } },
    })
  const planned = async (instanceType: string) => (await cloud.plan(wanted(instanceType), quietCtx())).request
  return {
    cloud,
    scope: cloud.scopeOf(wanted('e2-standard-4').cluster),
    account: facts.project,
    request: await planned('e2-standard-4'),
    otherRequest: await planned('e2-standard-8'),
    settle: () => clock.advance(60_000),
    refuseNextCreate: (kind) =>
      control.failNext(create, 1, { code: words[kind] ?? 'backendError', message: `Refused: ${kind}.` }),
    loseNextAnswer: () => control.answerLostAfterCommit(create),
    holdNextCreate: () => control.hold(create, 'before'),
    answerForeign(times = 1) {
      control.spoilNext('instances.aggregatedList', 'foreign-document', times)
      control.spoilNext('instances.get', 'foreign-document', times)
    },
    listPartially: () => control.unreachable(home, 1_000),
    listInCircles: () => inCircles(control, 'instances.aggregatedList'),
    tamper: (how) => control.tamper(how),
    preempt: (id) => control.interrupt(numeric(id)),
    vanish: (id) => control.vanish(numeric(id)),
    alive: () => control.instances().length,
    creates: () => control.requests().filter(({ action }) => action === create).length,
    failAfterAcceptance: () => control.noCapacity(),
    async takeName(name) {
      const answer = await fetch(`${url}/compute/v1/projects/${facts.project}/zones/${home}/instances`, {
        method: 'POST',
        headers: { authorization: 'Bearer stranger' },
        body: JSON.stringify({ ...usualInsert(simulator), name }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    // A create is one call, all of it or nothing.
    leaveHalfMade: () => {},
    shop: shopOf(simulator),
    leftovers() {
      const { disks, addresses } = control.remains()
      return disks.length + addresses.length
    },
    async close() {
      await project[Symbol.asyncDispose]()
    },
  }
}

function shopOf({ control, facts }: GcpSimulator): Shop {
  return {
    wanted: (more) =>
      wantedWith({
        machine: { instanceType: 'e2-standard-2', image: facts.image, provisioningModel: 'Spot' },
        cluster: {
          project: facts.project,
          region: facts.region,
          failureDomains: undefined,
          network: { subnets: [{ name: 'spot' }] },
        },
        ...more,
      }),
    types: { usual: 'e2-standard-2', larger: 'e2-standard-4', gpu: 'g2-standard-4', unknown: 'e99-standard-2' },
    zones: facts.zones,
    gpuZones: ['us-central1-a', 'us-central1-b', 'us-central1-c'],
    usualZones: facts.zones,
    closeGpuQuota: () => control.quota({ metric: 'NVIDIA_L4_GPUS', limit: 0 }),
    noCapacity: (hole) => control.noCapacity(hole),
    calls: () => control.requests().map(({ action }) => action),
  }
}

function numeric(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

tamperedContract('gcp', () => startRig('Stop'))
instancesContract('gcp', () => startRig('Stop'))
acceptingContract('gcp', () => startRig('Stop'))
accountContract('gcp', () => startRig('Stop'))
instancesContract('gcp, where what is preempted is deleted', () => startRig('Delete'))
offeringsContract('gcp', () => startRig('Stop'))
tenantsContract('gcp', () => startRig('Stop'))
