import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import type { Address, Instance, InstanceState } from '../../../api/instance.ts'
import type { CapacityType } from '../../../api/offering.ts'
import { launchedAt } from '../../shared/instant.ts'
import { withFields } from '../wire/fields.ts'
import { readTag } from './ownership.ts'
import { isPreemption, startFailure } from '../wire/reasons.ts'
import type { VpcInstance, VpcReason } from '../wire/documents.ts'

const states: ReadonlyMap<string, InstanceState> = new Map(
  Object.entries({
    pending: 'pending',
    starting: 'pending',
    running: 'running',
    restarting: 'pending',
    stopping: 'stopping',
    stopped: 'stopped',
    deleting: 'terminating',
    // It may still run: IBM calls some instances failed that can be reached.
    failed: 'pending',
  } as const),
)

/** With these IBM has run it at some time, unless it says that it could not. */
const begun: ReadonlySet<string> = new Set(['running', 'restarting', 'stopping', 'stopped'])

/** It will not change from these by itself. */
const settled: ReadonlySet<string> = new Set(['stopped', 'failed', 'deleting'])

const leaving: ReadonlySet<string> = new Set(['stopping', 'stopped', 'deleting'])

/** IBM's instance as ours. A status that is new to us counts as "not ready", never as an end. */
export function toInstance(from: VpcInstance): Instance {
  const reasons = reasonsOf(from)
  const interrupted = leaving.has(from.status) && reasons.some(({ code }) => isPreemption(code))
  const failure = failureOf(from, reasons)
  const reason = reasons[0]
  const account = accountIn(from.crn)
  return {
    id: from.id,
    name: from.name,
    ...launchedAt(from.created_at),
    ...(account === undefined ? {} : { account }),
    state: states.get(from.status) ?? 'pending',
    started: (begun.has(from.status) && !failure) || interrupted,
    tag: readTag(from),
    capacityType: capacityTypeOf(from),
    instanceType: from.profile.name,
    zone: from.zone.name,
    addresses: addressesOf(from),
    ...(reason ? { reason: { code: reason.code, message: reason.message } } : {}),
    ...(interrupted ? { interrupted: true } : {}),
    ...(failure ? { failure } : {}),
  }
}

/** The reasons of both lists, the most telling first. */
function reasonsOf({ status_reasons = [], lifecycle_reasons = [] }: VpcInstance): Required<VpcReason>[] {
  const weight = ({ code }: VpcReason) => (isPreemption(code) ? 0 : startFailure(code) ? 1 : 2)
  return [...status_reasons, ...lifecycle_reasons]
    .map(({ code, message = code }) => ({ code, message }))
    .toSorted((a, b) => weight(a) - weight(b))
}

/** IBM accepted it, and could not start it. */
function failureOf({ id, status }: VpcInstance, reasons: readonly Required<VpcReason>[]): CloudError | undefined {
  if (!settled.has(status)) return undefined
  const said = reasons.find(({ code }) => startFailure(code))
  const kind: RefusalKind | undefined = said && startFailure(said.code)
  if (said && kind) return withFields(new CloudError(kind, { code: said.code, message: said.message }))
  if (status !== 'failed') return undefined
  const { code, message } = reasons[0] ?? {
    code: 'failed',
    message: `Instance ${id} failed. IBM gave no reason.`,
  }
  return new CloudError('transient', { code, message })
}

function capacityTypeOf({ availability, reservation }: VpcInstance): CapacityType {
  if (availability?.class === 'spot') return 'Spot'
  return reservation ? 'Reserved' : 'OnDemand'
}

/** `crn:v1:bluemix:public:is:us-south-1:a/<account>::instance:<id>` */
function accountIn(crn: string): string | undefined {
  return /^a\/(.+)$/.exec(crn.split(':')[6] ?? '')?.[1]
}

/** Until it has an address, IBM shows 0.0.0.0. */
function addressesOf({ name, primary_network_interface: primary }: VpcInstance): Address[] {
  const address = primary?.primary_ip?.address
  if (!address || address === '0.0.0.0') return []
  return [
    { type: 'InternalIP', address },
    { type: 'InternalDNS', address: name },
    { type: 'Hostname', address: name },
  ]
}
