import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import type { InstanceRef, TerminateResult } from '../../instances.ts'
import type { EndedInstances } from '../../shared/history.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import type { Finder } from '../observe/find.ts'
import { readNothing } from '../wire/answers.ts'
import type { Vpc } from '../wire/client.ts'

/** Ends instances. Their disks and network interfaces end with them. */
export class Terminator {
  readonly #vpc: Vpc
  readonly #finder: Finder
  readonly #ended: EndedInstances

  /** `ended` gets each instance that this ends, by its token. */
  constructor(vpc: Vpc, { finder, ended }: { finder: Finder; ended: EndedInstances }) {
    this.#vpc = vpc
    this.#finder = finder
    this.#ended = ended
  }

  async terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    const { scope, tag } = which
    const found = await this.#finder.find(which, ctx)
    if (found === 'absent') return 'gone'
    const { id, name = '' } = found
    if (!isOwnedBy(found, tag)) throw notOurs(`Instance ${name} (${id})`)
    if (found.state === 'terminating') return 'going'
    const request = { method: 'DELETE', path: ['instances', id] } as const
    const call = { scope, action: 'delete_instance', whose: tenantOf(tag), request, read: readNothing } as const
    try {
      await this.#vpc.call(call, ctx)
      this.#ended.remember(tag.token, found)
      return 'going'
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'missing') return 'gone'
      // IBM ends an instance only when it is at rest; until then it is asked again.
      if (thrown instanceof CloudError && thrown.kind === 'conflict') return 'later'
      throw thrown
    }
  }
}
