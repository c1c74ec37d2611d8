import {
  DescribeInstancesCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
  type Filter,
  type Reservation,
} from '@aws-sdk/client-ec2'
import type { Ctx } from '../../api/ctx.ts'
import { subnetUnseen } from '../shared/account.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { passing } from '../errors.ts'
import type { TerminateResult, Asking, InstancePage, InstanceRef, Instances, Launch } from '../instances.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { tagOf, notOurs, tenantOf } from '../shared/ownership.ts'
import { PageTokens } from '../wire/page-tokens.ts'
import type { Ec2 } from './wire/client.ts'
import { withFields } from './wire/fields.ts'
import { ownerTag } from './observe/ownership.ts'
import { Places } from './observe/absence.ts'
import { runInstances } from './launch/request.ts'
import { toInstance } from './observe/state.ts'

/** A page of a thousand is read in one piece of 10 MB; four pages cost three calls more. */
const mostOnAPage = 250

/** With these EC2 says that there is, or was, an instance of the token. */
const used = new Set(['IdempotentParameterMismatch', 'IdempotentInstanceTerminated'])

/** EC2 behind the seam. What the seam promises is written there; here stands only how EC2 is brought to keep it. */
export class AwsInstances implements Instances {
  readonly #ec2: Ec2
  readonly #places: Places

  constructor(ec2: Ec2) {
    this.#ec2 = ec2
    this.#places = new Places(ec2)
  }

  async create(want: Launch, ctx: Ctx): Promise<Instance> {
    const input = runInstances(want)
    const call = { scope: want.scope, action: 'RunInstances', key: want.token, whose: tenantOf(tagOf(want)) } as const
    try {
      const answer = await this.#ec2.call(
        call,
        (ec2, options) => ec2.send(new RunInstancesCommand(input), options),
        ctx,
      )
      const [created] = instancesOf([answer])
      if (created) {
        const { scope } = want
        await this.#ec2.answeredBy(created.account, scope, ctx).catch((other) => madeElsewhere(created, other))
        return created
      }
    } catch (thrown) {
      if (!(thrown instanceof CloudError)) throw thrown
      if (!used.has(thrown.code)) throw withFields(thrown)
      return this.#adopt(want, thrown, ctx)
    }
    throw new CloudError('ambiguous', {
      code: 'EmptyAnswer',
      message: 'The answer of EC2 to RunInstances contains no instance.',
    })
  }

  async find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent'> {
    const found = await this.#describe(which.scope, filterFor(which), ctx)
    const shown = found.find((instance) => isOwnedBy(instance, which.tag)) ?? found[0]
    if (shown) return shown
    if (await this.#places.proveAbsence(which, ctx)) return 'absent'
    throw subnetUnseen(which)
  }

  async *list(scope: Scope, ctx: Ctx, asking: Asking): AsyncIterable<InstancePage> {
    // One list for all clusters of the scope. Never without a filter: EC2 has a smaller bucket for those.
    const input = { Filters: [{ Name: 'tag-key', Values: [ownerTag] }], MaxResults: mostOnAPage }
    const tokens = new PageTokens()
    let NextToken: string | undefined
    let account: string | undefined
    do {
      const command = new DescribeInstancesCommand({ ...input, ...(NextToken ? { NextToken } : {}) })
      // Its caller is a poller, who holds up nobody while he waits for his turn.
      const call = { scope, action: 'DescribeInstances', maxWaitMs: Infinity } as const
      const page = () => this.#ec2.call(call, (ec2, options) => ec2.send(command, options), ctx)
      const answer = await asking(page)
      NextToken = tokens.next(answer.NextToken)
      const items = instancesOf(reservationsIn(answer))
      account ??= items.find(({ account }) => account)?.account
      await this.#ec2.answeredBy(account, scope, ctx)
      if (!NextToken) account ??= await this.#ec2.accountOf(scope, ctx)
      yield { items, complete: !NextToken, account }
    } while (NextToken)
  }

  async terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    const found = await this.find(which, ctx)
    if (found === 'absent') return 'gone'
    if (!isOwnedBy(found, which.tag)) throw notOurs(`Instance ${found.id}`)
    if (found.state === 'terminated') return 'gone'
    if (found.state === 'terminating') return 'going'
    const command = new TerminateInstancesCommand({ InstanceIds: [found.id] })
    const call = { scope: which.scope, action: 'TerminateInstances', whose: tenantOf(which.tag) } as const
    try {
      await this.#ec2.call(call, (ec2, options) => ec2.send(command, options), ctx)
    } catch (thrown) {
      // One part of EC2 shows what another does not know yet, or any more.
      throw thrown instanceof CloudError && thrown.kind === 'missing' ? passing(thrown) : thrown
    }
    return 'going'
  }

  /** The token was used before, so its instance exists or did: it is ours, or nobody's to take. */
  async #adopt(want: Launch, because: CloudError, ctx: Ctx): Promise<Instance> {
    const [found] = await this.#describe(want.scope, [{ Name: 'client-token', Values: [want.token] }], ctx)
    const { kind, code, message } = because
    if (!found) throw kind === 'ended' ? because : new CloudError('ambiguous', { code, message, cause: because })
    if (!isOwnedBy(found, tagOf(want))) throw notOurs(`Instance ${found.id}`)
    return found
  }

  async #describe(scope: Scope, Filters: Filter[], ctx: Ctx): Promise<Instance[]> {
    const command = new DescribeInstancesCommand({ Filters })
    const call = { scope, action: 'DescribeInstances' } as const
    const answer = await this.#ec2.call(call, (ec2, options) => ec2.send(command, options), ctx)
    const found = instancesOf(reservationsIn(answer))
    await this.#ec2.answeredBy(found[0]?.account, scope, ctx)
    return found
  }
}

function filterFor({ id, tag: { token } }: InstanceRef): Filter[] {
  // By filter and not by InstanceIds: an unknown id is then an empty answer instead of an error.
  return id ? [{ Name: 'instance-id', Values: [id] }] : [{ Name: 'client-token', Values: [token] }]
}

function instancesOf(reservations: readonly Pick<Reservation, 'Instances' | 'OwnerId'>[]): Instance[] {
  return reservations.flatMap(({ Instances = [], OwnerId }) => Instances.map((one) => toInstance(one, OwnerId)))
}

/** An answer without the element is no empty list: it comes of something that is not EC2, a proxy's own page say. */
function reservationsIn({ Reservations }: { Reservations?: Reservation[] | undefined }): Reservation[] {
  if (Reservations) return Reservations
  throw new CloudError('transient', {
    code: 'ForeignAnswer',
    message: 'The answer to DescribeInstances does not come from EC2.',
  })
}

/** Only where STS does not say whose the credentials are: then the answer is the first to tell. It is no refusal. */
function madeElsewhere({ id }: Instance, other: unknown): never {
  if (!(other instanceof CloudError)) throw other
  const message = `${other.message} Instance ${id} was created there nevertheless; terminate it by hand.`
  throw new CloudError('ambiguous', { code: 'CreatedElsewhere', message })
}
