import { vi } from 'vitest'
import type { RefusalKind } from '../../api/refusal.ts'
import { ibmCloud } from '../../providers/ibm/cloud.ts'
import { FakeClock } from '../support/fakes/fake-clock.ts'
import { wantedWith } from '../support/clouds/ibm-specs.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { usualLaunch, VpcClient } from '../simulators/ibm/fixture.ts'
import { startIbmSimulator, type IbmSimulator, type IbmSimulatorOptions } from '../simulators/ibm/simulator.ts'
import { standardWorld } from '../simulators/ibm/world.ts'
import { acceptingContract, type AcceptingRig } from './accepting.ts'
import { accountContract, othersContract, type OthersRig } from './account.ts'
import { instancesContract } from './instances.ts'
import { callsForAPage } from '../../providers/wire/retry-page.ts'
import { offeringsContract, type OfferingsRig, type Shop } from './offerings.ts'
import { asUsed, inCircles } from './rig.ts'
import { tenantsContract } from './tenants.ts'
import { tamperedContract } from './tampered.ts'

const words: Partial<Record<RefusalKind, string>> = {
  capacity: 'cannot_start_capacity',
  quota: 'over_quota',
  throttled: 'rate_limit_exceeded',
  denied: 'not_authorized',
  invalid: 'bad_field',
}

/** The vendor's client, by which strangers come, goes by the machine's clock: a token must be good by both. */
const today = Math.floor(Date.now() / 1000) * 1000

async function startRig(
  behaviour: NonNullable<IbmSimulatorOptions['behaviour']> = {},
): Promise<AcceptingRig & OthersRig & OfferingsRig> {
  const clock = new FakeClock(today)
  const simulator = await startIbmSimulator({ clock, behaviour, world: standardWorld() })
  const { facts, control } = simulator
  vi.stubEnv('IBMCLOUD_API_KEY', facts.apikey)
  vi.stubEnv('IBMCLOUD_VPC_API_ENDPOINT', simulator.url)
  vi.stubEnv('IBMCLOUD_IAM_API_ENDPOINT', simulator.url)
  const cloud = asUsed(ibmCloud())
  const wanted = (image: string) =>
    wantedWith({
      machine: {
        image: { id: image },
        availability: { class: 'spot' },
        primaryNetworkInterface: { subnet: facts.subnet },
      },
      cluster: {
        region: facts.region,
        resourceGroup: facts.resourceGroup,
        network: { vpc: { id: facts.vpc }, workerSubnets: facts.subnets.map(({ id, zone }) => ({ id, zone })) },
      },
    })
  const planned = async (image: string) => (await cloud.plan(wanted(image), quietCtx())).request
  const another = standardWorld().images.find(({ status, id }) => status === 'available' && id !== facts.image)
  return {
    cloud,
    scope: { ...cloud.scopeOf(wanted('').cluster), account: facts.accountId },
    account: facts.accountId,
    others: {
      account: control.addAccount('apikey-of-the-others'),
      subnet: facts.subnet,
      cloud() {
        vi.stubEnv('IBMCLOUD_API_KEY', 'apikey-of-the-others')
        return asUsed(ibmCloud())
      },
    },
    request: await planned(facts.image),
    otherRequest: await planned(another?.id ?? ''),
    settle: () => clock.advance(60_000),
    refuseNextCreate(kind) {
      control.failNext('create_instance', 1, {
        code: words[kind] ?? 'internal_error',
        message: `Refused: ${kind}.`,
      })
    },
    loseNextAnswer: () => control.answerLostAfterCommit('create_instance'),
    holdNextCreate: () => control.hold('create_instance', 'before'),
    answerForeign(times = 1) {
      control.spoilNext('list_instances', 'foreign-document', times)
      control.spoilNext('get_instance', 'foreign-document', times)
    },
    listPartially: () => control.spoilNext('list_instances', 'cut-body', callsForAPage),
    listInCircles: () => inCircles(control, 'list_instances'),
    tamper: (how) => control.tamper(how),
    preempt: (id) => control.interrupt(id),
    vanish: (id) => control.vanish(id),
    alive: () => control.instances().filter(({ state }) => state !== 'deleting').length,
    creates: () => control.requests().filter(({ action }) => action === 'create_instance').length,
    failAfterAcceptance: () => control.failNextLaunch('cannot_start_capacity'),
    async takeName(name) {
      await new VpcClient(simulator).call('POST', '/instances', { body: { ...usualLaunch(simulator), name } })
    },
    // A create is one call, all of it or nothing.
    leaveHalfMade: () => {},
    shop: shopOf(simulator),
    leftovers() {
      const { interfaces, disks, addresses } = control.remains()
      return interfaces.length + disks.length + addresses.length
    },
    close: async () => {
      vi.unstubAllEnvs()
      await simulator.close()
    },
  }
}

function shopOf({ control, facts }: IbmSimulator): Shop {
  return {
    wanted: (more) =>
      wantedWith({
        machine: {
          image: { id: facts.image },
          availability: { class: 'spot' },
          primaryNetworkInterface: undefined,
        },
        cluster: {
          region: facts.region,
          resourceGroup: facts.resourceGroup,
          network: { vpc: { id: facts.vpc }, workerSubnets: facts.subnets.map(({ id, zone }) => ({ id, zone })) },
        },
        ...more,
      }),
    types: { usual: 'bxf-2x8', larger: 'bxf-4x16', gpu: 'gx3-16x80x1l4', unknown: 'bx99-2x8' },
    zones: facts.zones,
    gpuZones: ['us-south-1', 'us-south-3'],
    usualZones: facts.zones,
    closeGpuQuota: () => control.quota('gpus', 0),
    noCapacity: (hole) => control.noCapacity(hole),
    calls: () => control.requests().map(({ action }) => action),
  }
}

tamperedContract('ibm', () => startRig())
instancesContract('ibm', () => startRig())
acceptingContract('ibm', () => startRig())
accountContract('ibm', () => startRig())
offeringsContract('ibm', () => startRig())
othersContract('ibm', () => startRig())

/** Where IBM's documents leave it open, the other answer. */
const otherwise = {
  capacityFailure: 'stopped',
  preemptionReason: 'lifecycle_reasons',
  preemptionReasonFrom: 'stopping',
  deletion: '202',
  secondDeletion: 'refused',
  nameTaken: 'nested',
  nextLink: 'relative',
  vcpuCount: 'enum',
} as const
instancesContract('ibm, as its documents also allow it', () => startRig(otherwise))
acceptingContract('ibm, as its documents also allow it', () =>
  startRig({ ...otherwise, deletionInTransition: 'refused' }),
)
tenantsContract('ibm', () => startRig())
