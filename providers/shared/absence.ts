import type { Ctx } from '../../api/ctx.ts'
import { scopeKey, type Scope } from '../../api/scope.ts'
import type { InstanceRef } from '../instances.ts'
import { TtlCache } from './ttl-cache.ts'

interface View {
  /** The account of our credentials; undefined where it is not known. */
  readonly accountOf: (scope: Scope, ctx: Ctx) => Promise<string | undefined>
  /** Whether our credentials are shown this subnet. */
  readonly seesSubnet: (id: string, scope: Scope, ctx: Ctx) => Promise<boolean>
  /** How long a subnet that was seen stands for "these credentials see this region now". */
  readonly keepMs: number
}

/**
 * Whether an instance that the cloud does not show is really gone. Credentials of another account, or an endpoint of
 * another region, show nothing of ours; but then they do not show the subnet of the instance either. The owner of a
 * subnet proves nothing: a shared subnet is shown to several accounts.
 */
export class AbsenceProof {
  readonly #view: View
  readonly #seen: TtlCache<boolean>

  constructor(view: View) {
    this.#view = view
    this.#seen = new TtlCache({ keepMs: () => view.keepMs })
  }

  async holds(
    { scope, subnet, needsNoProof }: Pick<InstanceRef, 'scope' | 'subnet' | 'needsNoProof'>,
    ctx: Ctx,
  ): Promise<boolean> {
    if (needsNoProof) return true
    const credentials = await this.#view.accountOf(scope, ctx)
    if (scope.account !== undefined && scope.account !== credentials) return false
    if (subnet === undefined) return true
    const see = () => this.#view.seesSubnet(subnet, scope, ctx)
    return this.#seen.get(`${scopeKey(scope)} ${subnet}`, see, ctx)
  }
}
