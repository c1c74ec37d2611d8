import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { vi } from 'vitest'
import { azureCloud } from '../../providers/azure/cloud.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { wantedWith } from '../support/clouds/azure-specs.ts'
import { FakeClock } from '../support/fakes/fake-clock.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { clientsOf, interfaceId, usualInterface, usualMachine } from '../simulators/azure/fixture.ts'
import { startAzureSimulator, type AzureSimulator } from '../simulators/azure/simulator.ts'
import type { StatusDetail } from '../simulators/azure/instances/status-list.ts'
import { standardWorld } from '../simulators/azure/world.ts'
import { acceptingContract, type AcceptingRig } from './accepting.ts'
import { accountContract } from './account.ts'
import { instancesContract } from './instances.ts'
import { tenantsContract } from './tenants.ts'
import { tamperedContract } from './tampered.ts'
import { callsForAPage } from '../../providers/wire/retry-page.ts'
import { offeringsContract, type OfferingsRig, type Shop } from './offerings.ts'
import { asUsed, inCircles, launchFor } from './rig.ts'

const words: Partial<Record<RefusalKind, { code: string; message: string }>> = {
  capacity: { code: 'SkuNotAvailable', message: 'The requested size is not available.' },
  quota: { code: 'OperationNotAllowed', message: 'It would exceed the approved LowPriorityCores quota.' },
  throttled: { code: 'TooManyRequests', message: 'Too many requests.' },
  denied: { code: 'AuthorizationFailed', message: 'The client is not authorized.' },
  invalid: { code: 'InvalidParameter', message: 'The value is invalid.' },
}
const create = 'VirtualMachines_CreateOrUpdate'

/** The clients take tokens over TLS only, from an authority that they know: here the simulator's own. */
function trust(certificate: string): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  return () => setDefaultCACertificates(before)
}

async function startRig(detail: StatusDetail): Promise<AcceptingRig & OfferingsRig> {
  // Tokens are good by the clock of the machine and by that of the simulator.
  const clock = new FakeClock(Math.floor(Date.now() / 1000) * 1000)
  const simulator = await startAzureSimulator({ clock, world: standardWorld(), pageSize: 2 })
  const { facts, control, url } = simulator
  control.statusList(detail)
  const distrust = trust(facts.authorityCertificate)
  vi.stubEnv('AZURE_RESOURCE_MANAGER_ENDPOINT', url)
  vi.stubEnv('AZURE_AUTHORITY_HOST', facts.authority)
  vi.stubEnv('AZURE_TENANT_ID', facts.tenant)
  vi.stubEnv('AZURE_CLIENT_ID', '7c3a1b00-0000-4000-8000-000000000001')
  vi.stubEnv('AZURE_CLIENT_SECRET', 'secret')
  vi.stubEnv('AZURE_SUBSCRIPTION_ID', facts.subscription)
  const cloud = asUsed(azureCloud())
  const wanted = (vmSize: string) =>
    wantedWith({
      machine: {
        vmSize,
        image: { id: facts.image },
        spotVMOptions: {},
        dataDisks: [{ nameSuffix: 'd', diskSizeGB: 4 }],
      },
      cluster: { subscriptionID: undefined, resourceGroup: facts.resourceGroup, location: facts.location },
    })
  const planned = async (vmSize: string) => (await cloud.plan(wanted(vmSize), quietCtx())).request
  const rig: AcceptingRig & OfferingsRig = {
    cloud,
    scope: cloud.scopeOf(wanted('').cluster),
    account: facts.subscription,
    request: await planned('Standard_D2s_v5'),
    otherRequest: await planned('Standard_D4s_v5'),
    settle: () => clock.advance(60_000),
    refuseNextCreate: (kind) =>
      control.failNext(create, 1, words[kind] ?? { code: 'InternalServerError', message: 'Refused.' }),
    loseNextAnswer: () => control.answerLostAfterCommit(create),
    holdNextCreate: () => control.hold(create, 'before'),
    answerForeign(times = 1) {
      control.spoilNext('VirtualMachines_ListAll', 'foreign-document', times)
      control.spoilNext('VirtualMachines_Get', 'foreign-document', times)
    },
    listPartially: () => control.spoilNext('VirtualMachines_ListAll', 'cut-body', callsForAPage),
    listInCircles: () => inCircles(control, 'VirtualMachines_ListAll'),
    tamper: (how) => control.tamper(how),
    preempt: (id) => control.interrupt(nameIn(id)),
    vanish: (id) => control.vanish(nameIn(id)),
    alive: () => control.instances().filter(({ state }) => state !== 'deleting').length,
    creates: () => control.requests().filter(({ action }) => action === create).length,
    failAfterAcceptance: () => control.failNextLaunch('AllocationFailed'),
    async takeName(name) {
      const { compute, network } = clientsOf(simulator)
      const group = facts.resourceGroup
      await network.networkInterfaces.createOrUpdate(group, 'strangers', usualInterface(facts)).submitted()
      const machine = usualMachine(facts, name, interfaceId(facts, 'strangers'))
      await compute.virtualMachines.createOrUpdate(group, name, machine).submitted()
    },
    async leaveHalfMade() {
      const held = control.hold(create, 'before')
      const cutOff = cloud.instances.create(launchFor(rig), quietCtx()).catch(() => {})
      await held.reached
      held.drop()
      await cutOff
    },
    shop: shopOf(simulator),
    leftovers() {
      const { interfaces, disks, addresses } = control.remains()
      return interfaces.length + disks.length + addresses.length
    },
    close: async () => {
      vi.unstubAllEnvs()
      distrust()
      await simulator.close()
    },
  }
  return rig
}

function shopOf({ control, facts }: AzureSimulator): Shop {
  return {
    wanted: (more) =>
      wantedWith({
        machine: { image: { id: facts.image }, spotVMOptions: {} },
        cluster: { subscriptionID: undefined, resourceGroup: facts.resourceGroup, location: facts.location },
        ...more,
      }),
    types: {
      usual: 'Standard_D2s_v5',
      larger: 'Standard_D4s_v5',
      gpu: 'Standard_NC4as_T4_v3',
      unknown: 'Standard_D2s_v99',
    },
    zones: facts.zones,
    gpuZones: ['1', '2'],
    // Without a zone Azure chooses, and tells none.
    usualZones: [''],
    closeGpuQuota: () => control.quota('standardNCASv3_T4Family', 0),
    noCapacity: (hole) => control.noCapacity(hole),
    calls: () => control.requests().map(({ action }) => action),
  }
}

/** The last part of an id of ours. */
function nameIn(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

tamperedContract('azure', () => startRig('bare'))
instancesContract('azure', () => startRig('bare'))
acceptingContract('azure', () => startRig('bare'))
accountContract('azure', () => startRig('bare'))
instancesContract('azure, whose list of states says all', () => startRig('full'))
acceptingContract('azure, whose list of states says all', () => startRig('full'))
offeringsContract('azure', () => startRig('bare'))
tenantsContract('azure', () => startRig('bare'))
