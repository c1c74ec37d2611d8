import { DescribeSubnetsCommand } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import type { InstanceRef } from '../../instances.ts'
import type { Scope } from '../../../api/scope.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import type { Ec2 } from '../wire/client.ts'
import { ttlMs } from '../lookups/ttl.ts'

/**
 * Whether what EC2 does not show is really not there. An address of another region and credentials of another account
 * show nothing of ours either; but then they do not show the subnet either, in which the instance has to be. Whose the
 * subnet is says nothing of the account: a shared one is shown to several, each time with its one owner.
 */
export class Places {
  readonly #ec2: Ec2
  readonly #subnets = new TtlCache<boolean>({ keepMs: () => ttlMs.place })

  constructor(ec2: Ec2) {
    this.#ec2 = ec2
  }

  async proveAbsence(
    { scope, subnet: place, needsNoProof }: Pick<InstanceRef, 'scope' | 'subnet' | 'needsNoProof'>,
    ctx: Ctx,
  ): Promise<boolean> {
    if (needsNoProof) return true
    const credentials = await this.#ec2.accountOf(scope, ctx)
    const isAccount = scope.account === undefined || scope.account === credentials
    return isAccount && (place === undefined || this.#isSeen(place, scope, ctx))
  }

  #isSeen(id: string, scope: Scope, ctx: Ctx): Promise<boolean> {
    const command = new DescribeSubnetsCommand({ Filters: [{ Name: 'subnet-id', Values: [id] }] })
    const ask = async () => {
      const call = { scope, action: 'DescribeSubnets' } as const
      const answer = await this.#ec2.call(call, (ec2, options) => ec2.send(command, options), ctx)
      return (answer.Subnets ?? []).length > 0
    }
    return this.#subnets.get(JSON.stringify([scope.account, scope.region, id]), ask, ctx)
  }
}
