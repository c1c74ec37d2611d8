import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { Instance } from '../../../api/instance.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { isDefinite } from '../../../api/refusal.ts'
import type { Launch } from '../../instances.ts'
import type { EndedInstances } from '../../shared/history.ts'
import { nameFor } from '../../shared/instance-name.ts'
import { notOurs, tagOf, tenantOf } from '../../shared/ownership.ts'
import type { Finder } from '../observe/find.ts'
import { toInstance } from '../observe/state.ts'
import { readInstance } from '../wire/answers.ts'
import type { Vpc } from '../wire/client.ts'
import type { VpcInstance } from '../wire/documents.ts'
import { nameTaken } from '../wire/errors.ts'
import { withFields } from '../wire/fields.ts'
import { instancePrototype, isAskedFor } from './request.ts'

interface Tools {
  readonly vpc: Vpc
  readonly finder: Finder
  /** By token: IBM forgets the name of a deleted instance, and would make a second one of a late create call. */
  readonly ended: EndedInstances
}

type Asked = Pick<Tools, 'finder'> & { readonly want: Launch }

/**
 * IBM has no idempotent create; but names are unique in a region, and ours is used once. So the call is made without a
 * look before: if an earlier call was carried out, this one is refused, and the instance with the name is its instance.
 * A look would cost every machine a call, and would prove nothing of a call that is still under way.
 */
export async function create(want: Launch, { vpc, finder, ended }: Tools, ctx: Ctx): Promise<Instance> {
  const end = ended.of(want.token)
  if (end) return end
  const request = { method: 'POST', path: ['instances'], json: instancePrototype(want) } as const
  const { token: key, refuseIf } = want
  const turn = { key, whose: tenantOf(tagOf(want)), ...(refuseIf ? { refuseIf } : {}) }
  const call = { scope: want.scope, action: 'create_instance', ...turn, request, read: readInstance } as const
  try {
    return toInstance(await vpc.call(call, ctx))
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    return afterRefusal({ want, finder }, thrown, ctx)
  }
}

/**
 * The name may be taken by the instance of an earlier call, or by a stranger. Any other refusal too is of this call
 * alone: an earlier call may have been carried out, and may have taken the last of the quota.
 */
async function afterRefusal(asked: Asked, said: CloudError, ctx: Ctx): Promise<Instance> {
  const { code, message } = said
  const isTaken = nameTaken.has(code)
  // IBM will not find a missing part of the launch by being asked again.
  const refusal = said.kind === 'missing' ? new CloudError('invalid', { code, message }) : said
  // After a definite refusal the machine fails and asks no more, so it has to be the whole truth.
  if (!isTaken && !isDefinite(refusal.kind)) throw refusal
  const made = await madeBefore(asked, refusal, ctx)
  if (made) return made
  if (isTaken) throw new CloudError('ambiguous', { code, message: `${message} It does not appear in a list yet.` })
  throw withFields(refusal)
}

async function madeBefore({ want, finder }: Asked, refusal: CloudError, ctx: Ctx): Promise<Instance | undefined> {
  const name = nameFor(want)
  let found: VpcInstance | undefined
  try {
    found = await finder.named(want.scope, name, ctx)
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    const message = `Refused (${refusal.code}), and the result of an earlier call is unknown: ${thrown.message}`
    throw new CloudError('ambiguous', { code: thrown.code, message })
  }
  if (!found) return undefined
  const instance = toInstance(found)
  if (isOwnedBy(instance, tagOf(want)) && isAskedFor(want, found)) return instance
  throw notOurs(`Instance ${name} (${found.id})`)
}
