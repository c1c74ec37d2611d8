import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { passing } from '../../errors.ts'
import type { InstanceRef, TerminateResult } from '../../instances.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import type { Finder } from '../observe/find.ts'
import type { Ec2 } from '../wire/client.ts'

/** Ends instances. Their disks and network interfaces end with them. */
export class Terminator {
  readonly #ec2: Ec2
  readonly #finder: Finder

  constructor(ec2: Ec2, finder: Finder) {
    this.#ec2 = ec2
    this.#finder = finder
  }

  async terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    const found = await this.#finder.find(which, ctx)
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
}
