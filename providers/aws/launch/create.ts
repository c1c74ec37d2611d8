import { RunInstancesCommand } from '@aws-sdk/client-ec2'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { Instance } from '../../../api/instance.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import type { Launch } from '../../instances.ts'
import { notOurs, tagOf, tenantOf } from '../../shared/ownership.ts'
import type { Finder } from '../observe/find.ts'
import { instancesOf } from '../observe/state.ts'
import type { Ec2 } from '../wire/client.ts'
import { withFields } from '../wire/fields.ts'
import { runInstances } from './request.ts'

/** With these EC2 says that there is, or was, an instance of the token. */
const used = new Set(['IdempotentParameterMismatch', 'IdempotentInstanceTerminated'])

interface Tools {
  readonly ec2: Ec2
  readonly finder: Finder
}

/** EC2 makes one instance of a token, however often it is asked. */
export async function create(want: Launch, { ec2, finder }: Tools, ctx: Ctx): Promise<Instance> {
  const command = new RunInstancesCommand(runInstances(want))
  const { scope, refuseIf } = want
  const whose = tenantOf(tagOf(want))
  const call = { scope, action: 'RunInstances', key: want.token, whose, ...(refuseIf ? { refuseIf } : {}) } as const
  try {
    const answer = await ec2.call(call, (client, options) => client.send(command, options), ctx)
    const [created] = instancesOf([answer])
    if (created) {
      await ec2.answeredBy(created.account, scope, ctx).catch((other) => madeElsewhere(created, other))
      return created
    }
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    if (!used.has(thrown.code)) throw withFields(thrown)
    return adopt(want, { finder, because: thrown }, ctx)
  }
  throw new CloudError('ambiguous', {
    code: 'EmptyAnswer',
    message: 'The answer of EC2 to RunInstances contains no instance.',
  })
}

/** The token was used before, so its instance exists or has existed. It is adopted if it is ours. */
async function adopt(
  want: Launch,
  { finder, because }: Pick<Tools, 'finder'> & { because: CloudError },
  ctx: Ctx,
): Promise<Instance> {
  const [found] = await finder.byToken(want.scope, want.token, ctx)
  const { kind, code, message } = because
  if (!found) throw kind === 'ended' ? because : new CloudError('ambiguous', { code, message, cause: because })
  if (!isOwnedBy(found, tagOf(want))) throw notOurs(`Instance ${found.id}`)
  return found
}

/** Where STS does not tell the account of the credentials, the answer to a create is the first to tell it. */
function madeElsewhere({ id }: Instance, other: unknown): never {
  if (!(other instanceof CloudError)) throw other
  const message = `${other.message} Instance ${id} was created there nevertheless; terminate it by hand.`
  throw new CloudError('ambiguous', { code: 'CreatedElsewhere', message })
}
