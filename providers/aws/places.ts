import { DescribeSubnetsCommand } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../api/ctx.ts'
import type { InstanceRef, Scope } from '../instances.ts'
import { Remembered } from '../remembered.ts'
import type { Ec2 } from './client.ts'
import { ttlMs } from './ttl.ts'

interface SeenSubnet {
  readonly owner: string | undefined
}

/**
 * Whether what EC2 does not show is really not there. An address of another region and credentials of another account
 * show nothing of ours either; but then they do not show the subnet either, in which the instance has to be.
 */
export class Places {
  readonly #ec2: Ec2
  readonly #subnets = new Remembered<SeenSubnet | undefined>({ keepMs: () => ttlMs.place })

  constructor(ec2: Ec2) {
    this.#ec2 = ec2
  }

  async proveAbsence({ scope, place }: Pick<InstanceRef, 'scope' | 'place'>, ctx: Ctx): Promise<boolean> {
    const credentials = await this.#ec2.accountOf(scope, ctx)
    const isAccount = scope.account === undefined || scope.account === credentials
    if (place === undefined) return isAccount
    const subnet = await this.#subnet(place, scope, ctx)
    if (!subnet) return false
    // A shared subnet is shown to several accounts, and names the one that shares it.
    return isAccount || subnet.owner === scope.account
  }

  #subnet(id: string, scope: Scope, ctx: Ctx): Promise<SeenSubnet | undefined> {
    const command = new DescribeSubnetsCommand({ Filters: [{ Name: 'subnet-id', Values: [id] }] })
    const ask = async () => {
      const call = { scope, action: 'DescribeSubnets' } as const
      const answer = await this.#ec2.call(call, (ec2, options) => ec2.send(command, options), ctx)
      const [subnet] = answer.Subnets ?? []
      return subnet && { owner: subnet.OwnerId }
    }
    return this.#subnets.get(JSON.stringify([scope.account, scope.region, id]), ask, ctx)
  }
}
