import {
  InstanceFinder,
  type InstanceView,
  type LifecycleControl,
  type Remains,
} from '../../kit/control/instance-control.ts'
import type { Delays } from '../../kit/options.ts'
import { ControlError, oneOf, verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Account } from '../account.ts'
import type { ClientSecrets } from '../http/authority.ts'
import { isSpot, type Instance } from '../instances/instance.ts'
import { timeText } from '../http/json.ts'
import { statusDetails, type StatusDetail } from '../instances/status-list.ts'

/** Its id is its vmId; its state that of its power or, where the platform says nothing of that, of its provisioning. */
interface AzureInstanceView extends InstanceView {
  readonly name: string
  readonly resourceId: string
  readonly provisioningState: string
}

type Left = 'interfaces' | 'disks' | 'addresses'

/** What happens to machines from outside of the API. They are called by vmId, name or resource id. */
export interface InstanceControl extends LifecycleControl<AzureInstanceView, Left> {
  /** When the notice of its interruption says that it ends. Its metadata tell it. Undefined: there is no notice. */
  takenBackAt(id: string): number | undefined
  /** Its guest shuts down: stopped, and still paid for. */
  stop(id: string): void
  /** Somebody deallocates it. */
  deallocate(id: string): void
  /** From now on only these clients get tokens, and only their tokens are accepted; undefined: any. */
  acceptKeys(secrets: ClientSecrets): void
  /** How much the list with `statusOnly` says of each machine. */
  statusList(detail: StatusDetail): void
  /** This share of power states is missing from that list, the same ones for the same seed. */
  missPower(rate: number, seed?: number): void
}

export function instanceControl({ account, delays }: { account: Account; delays: Delays }): InstanceControl {
  const { instances, lifecycle, statusList, authority } = account
  const found = new InstanceFinder<Instance, string>({
    cloud: 'Azure',
    thing: 'machine',
    find: (id) => instances.all.find((one) => [one.vmId, one.plan.name, one.id].some((name) => sameName(name, id))),
    stateOf,
    isSpot,
  })
  const up = ['running']
  const alive = (id: string): Instance => {
    const instance = found.any(id)
    if (instance.provisioning !== 'Deleting') return instance
    throw new ControlError(`Machine ${id} is being deleted.`)
  }
  return {
    interrupt: (id, noticeMs = delays.noticeMs) => lifecycle.evict(found.spotIn(up, id), noticeMs),
    stop: (id) => lifecycle.stop(found.in(up, id)),
    deallocate: (id) => lifecycle.deallocate(found.in(up, id)),
    terminate: (id) => lifecycle.remove(alive(id), { force: true }),
    vanish: (id) => lifecycle.vanish(found.any(id)),
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
    takenBackAt: (id) => lifecycle.takenBackAt(found.any(id)),
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

function view(instance: Instance, { interfaces }: Account): AzureInstanceView {
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

function remains({ instances, interfaces, disks, publicAddresses }: Account): Remains<Left> {
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
  const calls = verbsOf(control)
  return [
    calls('interrupt', 'Azure takes a spot machine back', ['id', 'text'], ['notice', 'duration?']),
    calls('stop', 'a machine stops, as when its guest shuts down', ['id', 'text']),
    calls('deallocate', 'somebody deallocates a machine', ['id', 'text']),
    calls('terminate', 'somebody deletes a machine', ['id', 'text']),
    calls('vanish', 'a machine is gone at once', ['id', 'text']),
    calls('acceptKeys', 'accepts only tokens of these clients, as {"keys": {client: secret}}; without "keys": any', [
      'keys',
      'texts?',
    ]),
    calls('statusList', 'how much the list with statusOnly says of each machine', ['detail', oneOf(statusDetails)]),
    calls(
      'missPower',
      'this share of power states is missing from the list with statusOnly',
      ['rate', 'number'],
      ['seed', 'number?'],
    ),
  ]
}
