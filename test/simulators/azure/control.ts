import type { SightControl } from '../kit/sight-control.ts'
import { ControlError, verb, type Verb, type View } from '../kit/control.ts'
import type { FaultControl } from '../kit/fault-control.ts'
import type { RecordControl } from '../kit/record-control.ts'
import type { Account } from './account.ts'
import type { ClientSecrets } from './authority.ts'
import type { BucketControl } from '../kit/bucket-control.ts'
import type { BucketTable } from './buckets.ts'
import { isSpot, type Instance } from './instance.ts'
import { timeText } from './json.ts'
import type { Delays } from './lifecycle.ts'
import type { ArmInvisible } from './sight.ts'
import type { StatusDetail } from './status-list.ts'
import type { SupplyControl } from './supply-control.ts'

/** A machine as people want to see it. */
export interface InstanceView {
  /** Its vmId. */
  readonly id: string
  readonly name: string
  readonly resourceId: string
  /** Of its power; where the platform says nothing of that, of its provisioning. */
  readonly state: string
  readonly provisioningState: string
  /** With which code its provisioning failed. */
  readonly reason: string | undefined
  readonly instanceType: string
  readonly zone: string
  readonly market: 'spot' | 'on-demand'
  readonly privateIp: string
  readonly tags: Readonly<Record<string, string>>
  readonly launchedAt: string
}

/** Names of all that costs money or stands in the way. */
export interface Remains {
  readonly instances: readonly string[]
  readonly interfaces: readonly string[]
  readonly disks: readonly string[]
  readonly addresses: readonly string[]
}

/** What happens to machines from outside of the API. They are called by vmId, name or resource id. */
export interface InstanceControl {
  /** Azure takes a spot machine back, by its eviction policy. */
  interrupt(id: string, noticeMs?: number): void
  /** Its guest shuts down: stopped, and still paid for. */
  stop(id: string): void
  /** Somebody deallocates it. */
  deallocate(id: string): void
  /** Somebody deletes it. */
  terminate(id: string): void
  /** It is gone at once, with all that its delete options name. */
  vanish(id: string): void
  /** From now on only these clients get tokens, and only their tokens are accepted; undefined: any. */
  acceptKeys(secrets: ClientSecrets): void
  /** How much the list with `statusOnly` says of each machine. */
  statusList(detail: StatusDetail): void
  /** This share of power states is missing from that list, the same ones for the same seed. */
  missPower(rate: number, seed?: number): void
  instances(): readonly InstanceView[]
  /** What is left: everything empty when nothing leaked. */
  remains(): Remains
}

export type AzureControl = InstanceControl &
  SupplyControl &
  SightControl<ArmInvisible> &
  BucketControl<BucketTable> &
  FaultControl &
  RecordControl

export function instanceControl({ account, delays }: { account: Account; delays: Delays }): InstanceControl {
  const { instances, lifecycle, statusList, authority } = account
  const found = (id: string): Instance => {
    const called = (one: Instance) => [one.vmId, one.plan.name, one.id].some((name) => sameName(name, id))
    const instance = instances.all.find(called)
    if (instance) return instance
    throw new ControlError(`There is no machine ${id}; GET /_control/instances lists them.`)
  }
  const alive = (id: string): Instance => {
    const instance = found(id)
    if (instance.provisioning !== 'Deleting') return instance
    throw new ControlError(`Machine ${id} is being deleted.`)
  }
  const running = (id: string): Instance => {
    const instance = alive(id)
    if (instance.power === 'running') return instance
    throw new ControlError(`Machine ${id} is ${stateOf(instance)}; it must be running for this.`)
  }
  return {
    interrupt(id, noticeMs = delays.noticeMs) {
      const instance = running(id)
      if (!isSpot(instance)) {
        throw new ControlError(
          `Machine ${id} is not a spot machine: Azure does not take it back. Stop or terminate it.`,
        )
      }
      lifecycle.evict(instance, noticeMs)
    },
    stop: (id) => lifecycle.stop(running(id)),
    deallocate: (id) => lifecycle.deallocate(running(id)),
    terminate: (id) => lifecycle.remove(alive(id), { force: true }),
    vanish: (id) => lifecycle.vanish(found(id)),
    acceptKeys(secrets) {
      authority.secrets = secrets
    },
    statusList(detail) {
      statusList.detail = detail
    },
    missPower(rate, seed) {
      if (!(rate >= 0 && rate <= 1)) throw new ControlError('"rate" must be a number from 0 (none) to 1 (all).')
      statusList.missPower(rate, seed)
    },
    instances: () => instances.all.map((instance) => view(instance, account)),
    remains: () => remains(account),
  }
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function stateOf({ power, provisioning }: Instance): string {
  return provisioning === 'Deleting' || provisioning === 'Failed' || power === undefined
    ? provisioning.toLowerCase()
    : power
}

function view(instance: Instance, { interfaces }: Account): InstanceView {
  const { id, vmId, plan, provisioning, failure, tags, createdAt } = instance
  const primary = plan.interfaces.find(({ isPrimary }) => isPrimary)
  const addresses = primary && interfaces.get(primary.id)?.addresses
  return {
    id: vmId,
    name: plan.name,
    resourceId: id,
    state: stateOf(instance),
    provisioningState: provisioning,
    reason: failure?.code,
    instanceType: plan.type.name,
    zone: plan.zone ?? '',
    market: plan.spot ? 'spot' : 'on-demand',
    privateIp: addresses?.[0]?.address ?? '',
    tags,
    launchedAt: timeText(createdAt),
  }
}

function remains({ instances, interfaces, disks, publicAddresses }: Account): Remains {
  const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)
  return {
    instances: instances.all.map(({ plan }) => plan.name),
    interfaces: names(interfaces.shelf.all),
    disks: names(disks.shelf.all),
    addresses: names(publicAddresses.shelf.all),
  }
}

/** The same over HTTP. */
export function instanceVerbs(control: InstanceControl): readonly Verb[] {
  return [
    verb({
      name: 'interrupt',
      does: 'Azure takes a spot machine back',
      fields: { id: 'text', notice: 'duration?' },
      run: ({ id, notice }) => control.interrupt(id, notice),
    }),
    verb({
      name: 'stop',
      does: 'a machine stops, as when its guest shuts down',
      fields: { id: 'text' },
      run: ({ id }) => control.stop(id),
    }),
    verb({
      name: 'deallocate',
      does: 'somebody deallocates a machine',
      fields: { id: 'text' },
      run: ({ id }) => control.deallocate(id),
    }),
    verb({
      name: 'terminate',
      does: 'somebody deletes a machine',
      fields: { id: 'text' },
      run: ({ id }) => control.terminate(id),
    }),
    verb({
      name: 'vanish',
      does: 'a machine is gone at once',
      fields: { id: 'text' },
      run: ({ id }) => control.vanish(id),
    }),
    verb({
      name: 'accept-keys',
      does: 'accepts only tokens of these clients, as {"keys": {client: secret}}; without "keys": any',
      fields: { keys: 'texts?' },
      run: ({ keys }) => control.acceptKeys(keys),
    }),
    verb({
      name: 'status-list',
      does: 'how much the list with statusOnly says of each machine: bare or full',
      fields: { detail: 'text' },
      run: ({ detail }) => control.statusList(detailCalled(detail)),
    }),
    verb({
      name: 'miss-power',
      does: 'this share of power states is missing from the list with statusOnly',
      fields: { rate: 'number', seed: 'number?' },
      run: ({ rate, seed }) => control.missPower(rate, seed),
    }),
  ]
}

export function instanceViews(control: InstanceControl): Readonly<Record<string, View>> {
  return { instances: () => control.instances(), remains: () => control.remains() }
}

function detailCalled(detail: string): StatusDetail {
  if (detail === 'bare' || detail === 'full') return detail
  throw new ControlError('"detail" must be "bare" or "full".')
}
