import type { VirtualMachine } from '@azure/arm-compute'
import type { BootedMachine } from '../kit/instances/nodes.ts'
import type { RigOptions, SimulatedCloudRig, SimulatorRig, Wish } from '../suite/rig.ts'
import type { Words } from '../suite/words.ts'
import { powerOf, provisioningOf, refusalOf, startAzure, usualMachine, type AzureFixture } from './fixture.ts'

const own = 'deallocate accept-keys status-list miss-power fail-next-launch quota spot-price hold-interfaces'

const words: Words = {
  create: 'VirtualMachines_CreateOrUpdate',
  list: 'VirtualMachines_ListAll',
  accepted: 201,
  throttled: { code: 'TooManyRequests', status: 429 },
  limited: { code: 'OperationNotAllowed', status: 429 },
  serverErrors: ['500 InternalServerError', '503 ServiceUnavailable', '504 GatewayTimeout'],
  statuses: {
    AuthorizationFailed: 403,
    ResourceNotFound: 404,
    SkuNotAvailable: 409,
    PreconditionFailed: 412,
    TooManyRequests: 429,
    InternalServerError: 500,
    SomethingNew: 400,
  },
  refused: { code: 'AuthorizationFailed', status: 403 },
  cutOff: /socket hang up|ECONNRESET/,
  harmed: { 'cut-body': /ECONNRESET|aborted/, 'half-body': /JSON/, garbage: /JSON/, 'proxy-page': /502/ },
  repeated: 'PreconditionFailed',
  noCapacity: 'SkuNotAvailable',
  types: { usual: 'Standard_D2s_v5', other: 'Standard_D2as_v5' },
  zones: { home: '1', other: '2' },
  made: 'creating',
  running: 'running',
  ending: 'deleting',
  ended: undefined,
  interrupted: ['deallocating', 'deallocated'],
  noticed: 'running',
  findsLate: false,
  notFound: { code: 'ResourceNotFound', status: 404 },
  // Of the 200 writes that Azure's front door lets in at once.
  realCreations: { scale: 0.02, count: 4 },
  worker: 'Worker-1',
  shown: { name: 'Worker-1', provisioningState: 'Succeeded', privateIp: '10.0.0.4', tags: { Name: 'Worker-1' } },
  ends: ['deallocate'],
  lingers: [],
  verbs: own.split(' '),
  views: ['usages'],
  truth: 'gets',
  refusedSwitches: [
    ['a code that is none', 'no-capacity', { code: 'Nope' }, '"code" must be one of SkuNotAvailable, '],
    ['a quota that is none', 'quota', { name: 'wheels', limit: 4 }, 'There is no quota "wheels";'],
    ['a price of nothing', 'spot-price', { instanceType: 'Standard_D2s_v5', price: 0 }, '"price" must be a number'],
    [
      'a price where there is no market',
      'spot-price',
      { instanceType: 'Standard_B2s', price: 1 },
      'There is no spot market',
    ],
    ['a detail that is none', 'status-list', { detail: 'some' }, '"detail" must be "bare" or "full".'],
    ['a share above 1', 'miss-power', { rate: 2 }, '"rate" must be a number from 0'],
  ],
}

export const azureRig: SimulatedCloudRig = { name: 'azure', words, start }

async function start(options: RigOptions = {}): Promise<SimulatorRig> {
  const azure = await startAzure({ pageSize: 5, ...options })
  const { clock, compute, group, simulator } = azure
  /** Interfaces without a machine: a creation needs one, and making it is a call of its own. */
  const spare: string[] = []
  let count = 0
  const interfaceFor = async (name: string) => spare.shift() ?? azure.makeInterface(`${name}-nic`)
  const create: SimulatorRig['create'] = async (wish = {}) => {
    count += 1
    const { name = `machine-${count}` } = wish
    const machine = machineOf(azure, { ...wish, name }, await interfaceFor(name))
    const options = { ifNoneMatch: '*', ...(wish.signal && { abortSignal: wish.signal }) }
    await compute.virtualMachines.createOrUpdate(group, name, machine, options).submitted()
    return name
  }
  const page: SimulatorRig['page'] = async (token) => {
    const settings = token === undefined ? {} : { continuationToken: token }
    const page = await compute.virtualMachines.listAll({ statusOnly: 'true' }).byPage(settings).next()
    const machines = (page.value ?? []) as VirtualMachine[] & { continuationToken?: string }
    const items = Array.from(machines, (machine) => ({ id: machine.name ?? '', state: stateOf(machine) }))
    return { items, next: machines.continuationToken }
  }
  return {
    clock,
    simulator,
    create,
    async prepare(wanted) {
      while (spare.length < wanted)
        spare.push(await azure.makeInterface(`spare-${clock.now()}-${spare.length}-${count}`))
    },
    page,
    find: (name) => azure.look(name).then(stateOf, absent),
    async end(name) {
      await compute.virtualMachines.delete(group, name, { forceDeletion: true }).submitted()
    },
    async restart(name) {
      await compute.virtualMachines.start(group, name).submitted()
    },
    fate: (wish) => fateOf(azure, create(wish)),
    made: () => simulator.control.instances().map(({ name }) => name),
    limit(what, most) {
      const size = { most, perSecond: 1 }
      simulator.control.buckets(what === 'lists' ? { HighCostGetVMSubscription: size } : { PutVMSubscription: size })
      return 1000
    },
    listAsNobody: () => azure.raw('GET', listPath(azure), { headers: {} }),
    rawList: () => azure.raw('GET', listPath(azure)),
    async refusalOf(call) {
      const { code = '', ...rest } = await refusalOf(call)
      return { code, ...rest }
    },
    presented: () => presented(azure),
    control: (path, body) => azure.control(path, body),
    [Symbol.asyncDispose]: () => azure[Symbol.asyncDispose](),
  }
}

function listPath({ simulator: { facts } }: AzureFixture): string {
  return `/subscriptions/${facts.subscription}/providers/Microsoft.Compute/virtualMachines?statusOnly=true`
}

function machineOf({ simulator: { facts } }: AzureFixture, wish: Wish, nic: string): VirtualMachine {
  const { name = '', size = 'usual', zone = 'home', market = 'spot' } = wish
  const { priority, evictionPolicy, billingProfile, osProfile, ...usual } = usualMachine(facts, name, nic)
  const { customData, ...guest } = osProfile ?? {}
  const given = wish.userData && Buffer.from(wish.userData).toString('base64')
  const content = 'userData' in wish ? given : customData
  return {
    ...usual,
    hardwareProfile: { vmSize: { ...words.types, gpu: 'Standard_NC64as_T4_v3' }[size] },
    zones: [words.zones[zone]],
    ...(market === 'spot' && { priority, evictionPolicy, billingProfile }),
    osProfile: { ...guest, ...(content !== undefined && { customData: content }) },
  }
}

/** Of its power; where nothing is said of that, or it is being deleted, of its provisioning. */
function stateOf(machine: VirtualMachine): string {
  const provisioning = provisioningOf(machine) ?? ''
  return provisioning === 'deleting' ? provisioning : (powerOf(machine) ?? provisioning)
}

function absent(error: unknown): undefined {
  if ((error as { statusCode?: number }).statusCode !== 404) throw error
}

async function fateOf(azure: AzureFixture, creation: Promise<string>): Promise<string | undefined> {
  try {
    const name = await creation
    await azure.clock.advance(2000)
    return provisioningOf(await azure.look(name))?.split('/')[1]
  } catch {
    return (await refusalOf(creation)).code
  }
}

function presented({ simulator: { facts } }: AzureFixture): BootedMachine {
  return {
    name: 'worker-1',
    providerID:
      `azure:///subscriptions/${facts.subscription}/resourceGroups/spot-workers/providers/` +
      'Microsoft.Compute/virtualMachines/Worker-1',
    instanceType: 'Standard_NC64as_T4_v3',
    region: 'westus2',
    zone: 'westus2-1',
    addresses: [
      { type: 'InternalIP', address: '10.0.0.4' },
      { type: 'Hostname', address: 'worker-1' },
    ],
    architecture: 'amd64',
    cpus: 64,
    memoryMiB: 450_560,
    devices: { 'nvidia.com/gpu': 4 },
  }
}
