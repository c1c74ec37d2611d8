import { DescribeInstancesCommand, DescribeSubnetsCommand, type Filter } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import type { Instance } from '../../../api/instance.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import type { Scope } from '../../../api/scope.ts'
import type { InstanceRef } from '../../instances.ts'
import { AbsenceProof } from '../../shared/absence.ts'
import { subnetUnseen } from '../../shared/account.ts'
import { ttlMs } from '../lookups/ttl.ts'
import type { Ec2 } from '../wire/client.ts'
import { instancesIn } from './state.ts'

/** Direct looks at single instances. */
export class Finder {
  readonly #ec2: Ec2
  readonly #absence: AbsenceProof

  constructor(ec2: Ec2) {
    this.#ec2 = ec2
    this.#absence = new AbsenceProof({
      accountOf: (scope, ctx) => ec2.accountOf(scope, ctx),
      seesSubnet: (id, scope, ctx) => this.#seesSubnet(id, scope, ctx),
      keepMs: ttlMs.seenSubnet,
    })
  }

  async find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent'> {
    const { scope, id, tag } = which
    // By a filter, not by InstanceIds: an unknown id is then an empty list and no error.
    const found = id
      ? await this.#describe(scope, { Name: 'instance-id', Values: [id] }, ctx)
      : await this.byToken(scope, tag.token, ctx)
    const shown = found.find((instance) => isOwnedBy(instance, tag)) ?? found[0]
    if (shown) return shown
    if (await this.#absence.holds(which, ctx)) return 'absent'
    throw subnetUnseen(which)
  }

  /** The instances of the calls with this token. */
  byToken(scope: Scope, token: string, ctx: Ctx): Promise<Instance[]> {
    return this.#describe(scope, { Name: 'client-token', Values: [token] }, ctx)
  }

  async #describe(scope: Scope, filter: Filter, ctx: Ctx): Promise<Instance[]> {
    const command = new DescribeInstancesCommand({ Filters: [filter] })
    const call = { scope, action: 'DescribeInstances' } as const
    const answer = await this.#ec2.call(call, (ec2, options) => ec2.send(command, options), ctx)
    const found = instancesIn(answer)
    await this.#ec2.answeredBy(found[0]?.account, scope, ctx)
    return found
  }

  async #seesSubnet(id: string, scope: Scope, ctx: Ctx): Promise<boolean> {
    const command = new DescribeSubnetsCommand({ Filters: [{ Name: 'subnet-id', Values: [id] }] })
    const call = { scope, action: 'DescribeSubnets' } as const
    const answer = await this.#ec2.call(call, (ec2, options) => ec2.send(command, options), ctx)
    return (answer.Subnets ?? []).length > 0
  }
}
