import type { Ctx } from '../../../api/ctx.ts'
import { secrets } from '../../../api/kinds.ts'
import { secretObstacle, type BootstrapSecret } from '../../../api/rules/bootstrap-secret.ts'
import { isNotFound } from '../../runtime/client/api-error.ts'
import type { Pass } from '../pass.ts'

interface Secret extends BootstrapSecret {
  readonly data?: Readonly<Record<string, string>>
}

/** The user data for the instance, read when it is needed and kept nowhere. */
export async function readBootstrapData(pass: Pass, ctx: Ctx): Promise<{ userData: Uint8Array } | { missing: string }> {
  const name = pass.machine?.spec.bootstrap?.dataSecretName ?? ''
  const { namespace } = pass.infra.metadata
  try {
    const secret = await pass.deps.client.get<Secret>(secrets, { namespace, name }, ctx)
    const obstacle = secretObstacle(secret, pass.machine?.spec.clusterName ?? '')
    if (obstacle !== undefined) return { missing: obstacle }
    const value = secret.data?.['value']
    if (value) return { userData: Buffer.from(value, 'base64') }
    return {
      missing: `Secret ${name} has no key "value" with the bootstrap data. The bootstrap provider must write it.`,
    }
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown
    return { missing: `Secret ${name}, named by spec.bootstrap.dataSecretName of the Machine, does not exist.` }
  }
}
