import { TerminateInstancesCommand } from '@aws-sdk/client-ec2'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { passing } from '../../errors.ts'
import type { InstanceRef, TerminateResult } from '../../instances.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import type { Finder } from '../observe/find.ts'
import type { Ec2 } from '../wire/client.ts'

interface Tools {
  readonly ec2: Ec2
  readonly finder: Finder
}

/** The disks and network interfaces of an instance end with it. */
export async function terminate(which: InstanceRef, { ec2, finder }: Tools, ctx: Ctx): Promise<TerminateResult> {
  const found = await finder.find(which, ctx)
  if (found === 'absent') return 'gone'
  if (!isOwnedBy(found, which.tag)) throw notOurs(`Instance ${found.id}`)
  if (found.state === 'terminated') return 'gone'
  if (found.state === 'terminating') return 'going'
  const command = new TerminateInstancesCommand({ InstanceIds: [found.id] })
  const call = { scope: which.scope, action: 'TerminateInstances', whose: tenantOf(which.tag) } as const
  try {
    await ec2.call(call, (client, options) => client.send(command, options), ctx)
  } catch (thrown) {
    // Parts of EC2 differ for a while: one shows an instance that another does not know yet, or any more.
    throw thrown instanceof CloudError && thrown.kind === 'missing' ? passing(thrown) : thrown
  }
  return 'going'
}
