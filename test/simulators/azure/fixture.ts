import { ComputeManagementClient, type VirtualMachine } from '@azure/arm-compute'
import { NetworkManagementClient, type NetworkInterface } from '@azure/arm-network'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { controlCall, type ControlAnswer } from '../suite/control-call.ts'
import { errorOf } from '../suite/error-of.ts'
import type { AzureFacts } from './facts.ts'
import { nameIn } from './ids.ts'
import { startAzureSimulator, type AzureSimulator, type AzureSimulatorOptions } from './simulator.ts'
import { standardWorld } from './world.ts'

/** The simulator on a clock that stands still, and the vendor's own clients in front of it. */
export interface AzureFixture extends AsyncDisposable {
  readonly clock: FakeClock
  readonly simulator: AzureSimulator
  readonly compute: ComputeManagementClient
  readonly network: NetworkManagementClient
  readonly group: string
  /** An interface in the subnet for nodes, but for what is given; answers with its id. */
  makeInterface(name: string, over?: Partial<NetworkInterface>): Promise<string>
  /** Asks for a machine, without waiting for what becomes of it. */
  put(name: string, machine: VirtualMachine, ifNoneMatch?: string): Promise<void>
  /**
   * An interface, then a spot machine as our own provider asks for it, but for what is given; answers with its vmId.
   */
  launch(name: string, over?: Partial<VirtualMachine>): Promise<string>
  /** The same, and it runs. */
  launchRunning(name: string, over?: Partial<VirtualMachine>): Promise<string>
  /** What a GET shows of it, with its states. */
  look(name: string): Promise<VirtualMachine>
  /** A call that no decent client would make. */
  raw(method: string, path: string, over?: RawCall): Promise<RawAnswer>
  /** A control call over HTTP. */
  control(path: string, body?: unknown): Promise<ControlAnswer>
}

export interface RawCall {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Of the API; undefined: none is said. */
  readonly version?: string | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export const computeVersion = '2026-04-01'
export const networkVersion = '2026-01-01'
/** Where nobody checks tokens any will do. */
export const bearer = { authorization: 'Bearer not-a-token' }

export async function startAzure(options: Partial<AzureSimulatorOptions> = {}): Promise<AzureFixture> {
  const clock = new FakeClock()
  const simulator = await startAzureSimulator({ clock, world: standardWorld(), ...options })
  const { url, facts } = simulator
  const { compute, network } = clientsOf(simulator)
  const group = facts.resourceGroup
  const makeInterface: AzureFixture['makeInterface'] = async (name, over) => {
    const poller = network.networkInterfaces.createOrUpdate(group, name, { ...usualInterface(facts), ...over })
    await poller.submitted()
    return interfaceId(facts, name)
  }
  const put: AzureFixture['put'] = async (name, machine, ifNoneMatch) => {
    const options = ifNoneMatch === undefined ? {} : { ifNoneMatch }
    await compute.virtualMachines.createOrUpdate(group, name, machine, options).submitted()
  }
  const look: AzureFixture['look'] = (name) => compute.virtualMachines.get(group, name, { expand: 'instanceView' })
  const launch: AzureFixture['launch'] = async (name, over) => {
    const nic = await makeInterface(`${name}-nic`)
    await put(name, { ...usualMachine(facts, name, nic), ...over }, '*')
    return (await look(name)).vmId ?? ''
  }
  return {
    clock,
    simulator,
    compute,
    network,
    group,
    makeInterface,
    put,
    look,
    launch,
    async launchRunning(name, over) {
      const id = await launch(name, over)
      await clock.advance(2000)
      return id
    },
    raw: (method, path, { body, headers = bearer, version = computeVersion } = {}) => {
      const address = new URL(path, url)
      if (version !== '') address.searchParams.set('api-version', version)
      const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      return ask(address, { method, headers: { ...type, ...headers }, ...content })
    },
    control: (path, body) => controlCall(url, path, body),
    async [Symbol.asyncDispose]() {
      await simulator.close()
    },
  }
}

/** One try only: what is answered is what the test sees. */
export function clientsOf({ url, facts }: AzureSimulator): {
  compute: ComputeManagementClient
  network: NetworkManagementClient
} {
  const nobody = { getToken: () => Promise.resolve({ token: 'not-a-token', expiresOnTimestamp: Infinity }) }
  const options = { endpoint: url, allowInsecureConnection: true, retryOptions: { maxRetries: 0 } }
  const compute = new ComputeManagementClient(nobody, facts.subscription, options)
  const network = new NetworkManagementClient(nobody, facts.subscription, options)
  for (const { pipeline } of [compute, network]) {
    // The clients' own one refuses to send a token over plain HTTP.
    pipeline.removePolicy({ name: 'bearerTokenAuthenticationPolicy' })
    pipeline.addPolicy({
      name: 'any-token',
      sendRequest(request, next) {
        request.headers.set('authorization', bearer.authorization)
        return next(request)
      },
    })
  }
  return { compute, network }
}

export function interfaceId({ subscription, resourceGroup }: AzureFacts, name: string): string {
  const group = `/subscriptions/${subscription}/resourceGroups/${resourceGroup}`
  return `${group}/providers/Microsoft.Network/networkInterfaces/${name}`
}

export function usualInterface({ location, subnet }: AzureFacts): NetworkInterface {
  return { location, ipConfigurations: [{ name: 'ipconfig1', primary: true, subnet: { id: subnet } }] }
}

export function usualMachine({ location, image }: AzureFacts, name: string, nic: string): VirtualMachine {
  return {
    location,
    zones: ['1'],
    tags: { Name: name },
    priority: 'Spot',
    evictionPolicy: 'Deallocate',
    billingProfile: { maxPrice: -1 },
    hardwareProfile: { vmSize: 'Standard_D2s_v5' },
    storageProfile: {
      imageReference: { id: image },
      osDisk: {
        name: `${name}_OSDisk`,
        createOption: 'FromImage',
        deleteOption: 'Delete',
        managedDisk: { storageAccountType: 'Premium_LRS' },
      },
    },
    osProfile: {
      computerName: name,
      adminUsername: 'capi',
      customData: Buffer.from('#cloud-config\n').toString('base64'),
      linuxConfiguration: {
        disablePasswordAuthentication: true,
        ssh: { publicKeys: [{ path: '/home/capi/.ssh/authorized_keys', keyData: 'ssh-rsa AAAAB3NzaC1yc2E= nobody' }] },
      },
    },
    networkProfile: { networkInterfaces: [{ id: nic, primary: true, deleteOption: 'Delete' }] },
  }
}

export interface Refusal {
  readonly code: string | undefined
  readonly status: number | undefined
  readonly message: string
}

/** How the call was refused. Fails when it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const { code, statusCode, message } = (await errorOf(call)) as Error & { code?: string; statusCode?: number }
  return { code, status: statusCode, message }
}

/** Its power as the list of states says it, without the prefix; undefined: it says none. */
export function powerOf({ instanceView }: VirtualMachine): string | undefined {
  const code = instanceView?.statuses?.find(({ code: one }) => one?.startsWith('PowerState/') === true)?.code
  return code === undefined ? undefined : nameIn(code)
}

export function provisioningOf({ instanceView }: VirtualMachine): string | undefined {
  const code = instanceView?.statuses?.find(({ code: one }) => one?.startsWith('ProvisioningState/') === true)?.code
  return code?.slice('ProvisioningState/'.length)
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function ask(url: URL, init: RequestInit): Promise<RawAnswer> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  const { status, headers } = answer
  return { status, headers, text, json: /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : undefined }
}
