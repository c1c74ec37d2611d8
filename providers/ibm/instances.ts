import type { Ctx } from '../../api/ctx.ts'
import { subnetUnseen } from '../shared/account.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { isDefinite } from '../../api/refusal.ts'
import { nameFor } from '../shared/instance-name.ts'
import type { TerminateResult, Asking, InstancePage, InstanceRef, Instances, Launch } from '../instances.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { tagOf, notOurs, tenantOf } from '../shared/ownership.ts'
import { TtlCache } from '../shared/ttl-cache.ts'
import { PageTokens } from '../wire/page-tokens.ts'
import { pageOf, readInstance, readNothing, readSubnet, type Page } from './wire/answers.ts'
import type { Vpc } from './wire/client.ts'
import { nameTaken } from './wire/errors.ts'
import { withFields } from './wire/fields.ts'
import { readMark } from './observe/ownership.ts'
import { instancePrototype, isAskedFor } from './launch/request.ts'
import { toInstance } from './observe/state.ts'
import { ttlMs } from './lookups/ttl.ts'
import type { VpcInstance } from './wire/documents.ts'

/** How many ended instances are remembered. */
const mostEnded = 1_000

/** IBM Cloud VPC behind the seam. What the seam promises is written there; here only how IBM is brought to keep it. */
export class IbmInstances implements Instances {
  readonly #vpc: Vpc
  /** What we ended, by token: IBM forgets names, and would make a second instance of a late create call. */
  readonly #ended = new Map<string, Instance>()
  /** Whether our credentials see a subnet. */
  readonly #subnets = new TtlCache<boolean>({ keepMs: () => ttlMs.place })

  constructor(vpc: Vpc) {
    this.#vpc = vpc
  }

  /**
   * IBM knows no idempotent create; but names are unique in a region, and ours is used once. So the call is simply
   * made: if an earlier one was carried out, this one is refused, and what has the name is it. Looking first would cost
   * every machine a call, and would prove nothing of a call that is still under way.
   */
  async create(want: Launch, ctx: Ctx): Promise<Instance> {
    const ended = this.#ended.get(want.token)
    if (ended) return ended
    const request = { method: 'POST', path: ['instances'], json: instancePrototype(want) } as const
    const turn = { key: want.token, whose: tenantOf(tagOf(want)) }
    const call = { scope: want.scope, action: 'create_instance', ...turn, request, read: readInstance } as const
    try {
      return toInstance(await this.#vpc.call(call, ctx))
    } catch (thrown) {
      if (!(thrown instanceof CloudError)) throw thrown
      return this.#afterRefusal(want, thrown, ctx)
    }
  }

  async find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent'> {
    const { scope, id, name } = which
    const found = id === undefined ? await this.#named(scope, name, ctx) : await this.#get(scope, id, ctx)
    if (found) return toInstance(found)
    if (await this.#proveAbsence(which, ctx)) return 'absent'
    throw subnetUnseen(which)
  }

  /**
   * Everything in the region, and ours picked out by name: what is standard is as much ours as what is spot, one fleet
   * serves every VPC and resource group of the account, and IBM can filter by none of our tags. A list for each class
   * would cost as many pages and a page more, and would lose whose class is changed.
   */
  async *list(scope: Scope, ctx: Ctx, asking: Asking): AsyncIterable<InstancePage> {
    const tokens = new PageTokens()
    for (let start: string | undefined; ;) {
      const from = start === undefined ? {} : { start }
      const page = await asking(() => this.#page(scope, from, ctx))
      const items = page.items.filter((one) => readMark(one)).map(toInstance)
      const account = page.next === undefined ? await this.#vpc.accountOf(scope, ctx) : undefined
      yield { items, complete: page.next === undefined, account }
      if (page.next === undefined) return
      start = tokens.next(page.next)
    }
  }

  async terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    const { scope, tag } = which
    const found = await this.find(which, ctx)
    if (found === 'absent') return 'gone'
    const { id, name = '' } = found
    if (!isOwnedBy(found, tag)) throw notOurs(`Instance ${name} (${id})`)
    if (found.state === 'terminating') return 'going'
    const request = { method: 'DELETE', path: ['instances', id] } as const
    try {
      const call = { scope, action: 'delete_instance', whose: tenantOf(tag), request, read: readNothing } as const
      await this.#vpc.call(call, ctx)
      this.#remember(tag.token, found)
      return 'going'
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'missing') return 'gone'
      // IBM ends an instance only when it is at rest; until then this says that it has to be asked again.
      if (thrown instanceof CloudError && thrown.kind === 'conflict') return 'later'
      throw thrown
    }
  }

  /**
   * The name is taken: by what an earlier call made, or by a stranger. And whatever else a refusal says, it says it of
   * this call: the one before may have been carried out, and taken the last of the quota.
   */
  async #afterRefusal(want: Launch, said: CloudError, ctx: Ctx): Promise<Instance> {
    const { code, message } = said
    const isTaken = nameTaken.has(code)
    // What a launch needs and IBM does not find will not be found by asking again.
    const refusal = said.kind === 'missing' ? new CloudError('invalid', { code, message }) : said
    // With these the machine fails and asks no more, so they have to be the whole truth.
    if (!isTaken && !isDefinite(refusal.kind)) throw refusal
    const made = await this.#madeBefore(want, refusal, ctx)
    if (made) return made
    if (isTaken) throw new CloudError('ambiguous', { code, message: `${message} It does not appear in a list yet.` })
    throw withFields(refusal)
  }

  async #madeBefore(want: Launch, refusal: CloudError, ctx: Ctx): Promise<Instance | undefined> {
    const name = nameFor(want)
    let found: VpcInstance | undefined
    try {
      found = await this.#named(want.scope, name, ctx)
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

  /**
   * An address of another region, or a key of another account, shows nothing of ours; but then it does not show the
   * subnet either, in which the instance has to be. What we have ended ourselves needs no proof.
   */
  async #proveAbsence({ scope, subnet: place, tag, needsNoProof }: InstanceRef, ctx: Ctx): Promise<boolean> {
    if (needsNoProof || this.#ended.has(tag.token)) return true
    const credentials = await this.#vpc.accountOf(scope, ctx)
    const isAccount = scope.account === undefined || scope.account === credentials
    return (
      isAccount &&
      (place === undefined ||
        this.#subnets.get(JSON.stringify([scope, place]), () => this.#sees(place, scope, ctx), ctx))
    )
  }

  async #sees(id: string, scope: Scope, ctx: Ctx): Promise<boolean> {
    const request = { method: 'GET', path: ['subnets', id] } as const
    try {
      await this.#vpc.call({ scope, action: 'get_subnet', request, read: readSubnet }, ctx)
      return true
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'missing') return false
      throw thrown
    }
  }

  async #get(scope: Scope, id: string, ctx: Ctx): Promise<VpcInstance | undefined> {
    const request = { method: 'GET', path: ['instances', id] } as const
    try {
      return await this.#vpc.call({ scope, action: 'get_instance', request, read: readInstance }, ctx)
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'missing') return undefined
      throw thrown
    }
  }

  /** Without a name there never was one: it is what a create begins with. */
  async #named(scope: Scope, name: string | undefined, ctx: Ctx): Promise<VpcInstance | undefined> {
    if (name === undefined) return undefined
    const { items } = await this.#page(scope, { name }, ctx)
    return items.find((one) => one.name === name)
  }

  #page(scope: Scope, query: Record<string, string>, ctx: Ctx): Promise<Page<VpcInstance>> {
    const request = { method: 'GET', path: ['instances'], query: { ...query, limit: 100 } } as const
    // The list's caller is a poller, who holds up nobody while he waits for his turn.
    const patience = 'name' in query ? {} : { maxWaitMs: Infinity }
    return this.#vpc.call(
      { scope, action: 'list_instances', request, read: pageOf('instances', readInstance), ...patience },
      ctx,
    )
  }

  #remember(token: string, instance: Instance): void {
    this.#ended.set(token, { ...instance, state: 'terminated' })
    const [oldest] = this.#ended.keys()
    if (oldest !== undefined && this.#ended.size > mostEnded) this.#ended.delete(oldest)
  }
}
