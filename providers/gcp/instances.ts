import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { passing } from '../errors.ts'
import type { TerminateResult } from '../instances.ts'
import { scopeKey } from '../../api/scope.ts'
import type { Asking, InstancePage, InstanceRef, Instances, Launch } from '../instances.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { notOurs, tenantOf } from '../shared/ownership.ts'
import { shapes } from './wire/answers.ts'
import type { Gce } from './wire/client.ts'
import { Creator } from './launch/create.ts'
import { Finder, zoneSilent } from './observe/find.ts'
import { InstanceHistory } from './observe/history.ts'
import { list } from './observe/list.ts'
import { partsOfId } from './observe/state.ts'

/** GCE behind the seam. What the seam promises is written there; here stands only how GCE is brought to keep it. */
export class GcpInstances implements Instances {
  readonly #gce: Gce
  readonly #finder: Finder
  readonly #creator: Creator
  readonly #following = new Map<string, InstanceHistory>()

  constructor(gce: Gce) {
    this.#gce = gce
    this.#finder = new Finder(gce)
    this.#creator = new Creator(gce, this.#finder)
  }

  async create(want: Launch, ctx: Ctx): Promise<Instance> {
    const following = this.#followingOf(want.scope)
    const made = await this.#creator.create(want, following, ctx)
    following.saw(made, ctx.clock.monotonic())
    return made
  }

  async find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent' | 'unknown'> {
    const found = await this.#finder.find(which, ctx)
    if (typeof found === 'string') return found
    const following = this.#followingOf(which.scope)
    const now = ctx.clock.monotonic()
    following.saw(found, now)
    return following.described(found, now)
  }

  list(scope: Scope, ctx: Ctx, asking: Asking): AsyncIterable<InstancePage> {
    return list({ gce: this.#gce, scope, following: this.#followingOf(scope), asking }, ctx)
  }

  async terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    const following = this.#followingOf(which.scope)
    const isAsked = which.id !== undefined && following.isDeleting(which.id, ctx.clock.monotonic())
    // Of what we have deleted ourselves nobody has to be asked why it is not there.
    const found = isAsked ? await this.#finder.present(which, ctx) : await this.#finder.find(which, ctx)
    if (found === 'unknown') throw zoneSilent('A zone does not answer, and the instance may be there.')
    if (found === 'absent') {
      if (which.id !== undefined) following.gone(which.id)
      return 'gone'
    }
    if (!isOwnedBy(found, which.tag)) throw notOurs(`Instance ${found.name} (${found.id})`)
    if (found.state === 'terminated') {
      following.saw(found, ctx.clock.monotonic())
      return 'gone'
    }
    if (following.isDeleting(found.id, ctx.clock.monotonic())) return 'going'
    await this.#delete(found, which, ctx)
    following.deletes(found.id, ctx.clock.monotonic())
    return 'going'
  }

  /**
   * By the numeric id: a name may be another's by now. Without a requestId, which would repeat a delete that failed.
   */
  async #delete({ id }: Instance, { scope, tag }: InstanceRef, ctx: Ctx): Promise<void> {
    const { zone, numeric } = partsOfId(id)
    const path = ['zones', zone, 'instances', numeric]
    const what = { kind: 'compute#operation', shape: shapes.anything } as const
    const whose = tenantOf(tag)
    const call = { scope, action: 'instances.delete', whose, method: 'DELETE', path, ...what } as const
    try {
      await this.#gce.call({ ...call, query: { fields: 'kind' } }, ctx)
    } catch (thrown) {
      throw thrown instanceof CloudError && thrown.kind === 'missing' ? passing(thrown) : thrown
    }
  }

  #followingOf(scope: Scope): InstanceHistory {
    const key = scopeKey(scope)
    const following = this.#following.get(key) ?? new InstanceHistory()
    this.#following.set(key, following)
    return following
  }
}
