import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Launch } from '../../instances.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { tagOf, notOurs, tenantOf } from '../../shared/ownership.ts'
import { shapes } from '../wire/answers.ts'
import type { Gce } from '../wire/client.ts'
import { explain } from '../observe/explain.ts'
import { withFields } from '../wire/fields.ts'
import { zoneSilent, type Finder } from '../observe/find.ts'
import type { InstanceHistory } from '../observe/history.ts'
import { requestIdOf } from '../observe/ownership.ts'
import { nameFor } from '../../shared/instance-name.ts'
import { insertBody, type GcpRequest } from './request.ts'
import { fields, type GceOperation } from '../wire/documents.ts'
import { capacityTypeOf, fromOperation, isDeletedWhenPreempted, type GcpInstance } from '../observe/state.ts'

interface Tools {
  readonly gce: Gce
  readonly finder: Finder
  readonly history: InstanceHistory
}

/**
 * Inserts an instance. GCE takes two inserts with the same requestId for one, but only in the same zone, and a name is
 * unique only in its zone. So an attempt stays in the zone of its first call (`Wanted.at`), even if the specs have
 * changed.
 */
export async function create(want: Launch, { gce, finder, history }: Tools, ctx: Ctx): Promise<GcpInstance> {
  const earlier = history.hasListed ? undefined : await madeBefore(want, finder, ctx)
  if (earlier) return earlier
  const { zone } = want.request as GcpRequest
  let operation: GceOperation
  try {
    operation = await insert(want, { gce, zone }, ctx)
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    if (thrown.kind === 'missing') throw withFields(asInvalid(thrown))
    if (thrown.code === 'alreadyExists') return adopt(want, { finder, zone, because: thrown }, ctx)
    throw withFields(thrown)
  }
  return made(operation, { want, finder }, ctx)
}

/**
 * The instance that an earlier process has made of the attempt, in any zone. Attempts of this process begin after its
 * first list, so they need no such look.
 */
async function madeBefore(want: Launch, finder: Finder, ctx: Ctx): Promise<GcpInstance | undefined> {
  const found = await finder.find({ scope: want.scope, tag: tagOf(want), name: nameFor(want) }, ctx)
  if (found === 'absent') return undefined
  if (found === 'unknown')
    throw zoneSilent('A zone does not answer, and an earlier call may have created the instance there.')
  if (!isOwnedBy(found, tagOf(want))) throw notOurs(`Instance ${found.name} (${found.id})`)
  return found
}

function insert(want: Launch, { gce, zone }: { gce: Gce; zone: string }, ctx: Ctx): Promise<GceOperation> {
  const call = {
    scope: want.scope,
    action: 'instances.insert',
    method: 'POST',
    path: ['zones', zone, 'instances'],
    query: { requestId: requestIdOf(want.token), fields: `kind,${fields.operation}` },
    body: insertBody(want, zone),
    kind: 'compute#operation',
    shape: shapes.operation,
    key: want.token,
    whose: tenantOf(tagOf(want)),
    ...(want.refuseIf ? { refuseIf: want.refuseIf } : {}),
  } as const
  return gce.call<GceOperation>(call, ctx)
}

/**
 * The outcome of the insert, of this one or of an earlier one with the same requestId. A failed insert stays failed
 * however often it is repeated. So it is no error to try again with, but an instance that never existed.
 */
async function made(
  operation: GceOperation,
  { want, finder }: { want: Launch; finder: Finder },
  ctx: Ctx,
): Promise<GcpInstance> {
  const { scope } = want
  const { machineType, scheduling, reservationAffinity } = (want.request as GcpRequest).run
  const instance: GcpInstance = {
    ...fromOperation(operation, scope.account ?? ''),
    capacityType: capacityTypeOf({ scheduling, reservationAffinity }),
    instanceType: machineType,
    isDeletedWhenPreempted: isDeletedWhenPreempted({ scheduling }),
  }
  const explanation = explain([operation])
  if (explanation?.is === 'failed') {
    // GCE leaves an instance behind, stopped, that it took back before it ran. Of any other failure nothing is left.
    const left = await finder.present({ scope, id: instance.id, tag: tagOf(want) }, ctx)
    return left === 'absent' ? { ...instance, state: 'terminated', failure: explanation.failure } : instance
  }
  if (explanation?.is === 'coming') return instance
  const found = await finder.find({ scope, id: instance.id, tag: tagOf(want) }, ctx)
  if (found === 'absent') return { ...instance, state: 'terminated' }
  return found === 'unknown' ? instance : found
}

/** The name is taken by an earlier call of this attempt, or by a stranger. */
async function adopt(
  want: Launch,
  { finder, zone, because }: { finder: Finder; zone: string; because: CloudError },
  ctx: Ctx,
): Promise<GcpInstance> {
  const found = await finder.get({ scope: want.scope, zone, nameOrId: nameFor(want) }, ctx)
  if (typeof found === 'string') throw because
  if (!isOwnedBy(found, tagOf(want))) throw notOurs(`Instance ${found.name} (${found.id})`)
  return found
}

/** The request names something that GCE does not find, such as an image or a subnet. */
function asInvalid(error: CloudError): CloudError {
  return new CloudError('invalid', { code: error.code, message: error.message, cause: error })
}
