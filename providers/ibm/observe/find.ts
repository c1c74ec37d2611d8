import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Scope } from '../../../api/scope.ts'
import type { InstanceRef } from '../../instances.ts'
import { AbsenceProof } from '../../shared/absence.ts'
import { subnetUnseen } from '../../shared/account.ts'
import type { EndedInstances } from '../../shared/history.ts'
import { ttlMs } from '../lookups/ttl.ts'
import { pageOf, readInstance, readSubnet } from '../wire/answers.ts'
import type { Vpc, VpcCall } from '../wire/client.ts'
import type { VpcInstance } from '../wire/documents.ts'
import { toInstance } from './state.ts'

/** Direct looks at single instances. */
export class Finder {
  readonly #vpc: Vpc
  readonly #ended: EndedInstances
  readonly #absence: AbsenceProof

  /** `ended`: the instances that this process has ended, by token. Their absence needs no proof. */
  constructor(vpc: Vpc, ended: EndedInstances) {
    this.#vpc = vpc
    this.#ended = ended
    this.#absence = new AbsenceProof({
      accountOf: (scope, ctx) => vpc.accountOf(scope, ctx),
      seesSubnet: (id, scope, ctx) => this.#seesSubnet(id, scope, ctx),
      keepMs: ttlMs.seenSubnet,
    })
  }

  async find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent'> {
    const { scope, id, name, tag } = which
    const found = id === undefined ? await this.named(scope, name, ctx) : await this.#get(scope, id, ctx)
    if (found) return toInstance(found)
    if (this.#ended.of(tag.token) || (await this.#absence.holds(which, ctx))) return 'absent'
    throw subnetUnseen(which)
  }

  /** Without a name there never was an instance: a create begins with its name. */
  async named(scope: Scope, name: string | undefined, ctx: Ctx): Promise<VpcInstance | undefined> {
    if (name === undefined) return undefined
    const request = { method: 'GET', path: ['instances'], query: { name, limit: 100 } } as const
    const read = pageOf('instances', readInstance)
    const { items } = await this.#vpc.call({ scope, action: 'list_instances', request, read }, ctx)
    return items.find((one) => one.name === name)
  }

  #get(scope: Scope, id: string, ctx: Ctx): Promise<VpcInstance | undefined> {
    const request = { method: 'GET', path: ['instances', id] } as const
    return this.#ifThere({ scope, action: 'get_instance', request, read: readInstance }, ctx)
  }

  async #seesSubnet(id: string, scope: Scope, ctx: Ctx): Promise<boolean> {
    const request = { method: 'GET', path: ['subnets', id] } as const
    return (await this.#ifThere({ scope, action: 'get_subnet', request, read: readSubnet }, ctx)) !== undefined
  }

  async #ifThere<T>(call: VpcCall<T>, ctx: Ctx): Promise<T | undefined> {
    try {
      return await this.#vpc.call(call, ctx)
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'missing') return undefined
      throw thrown
    }
  }
}
