import type { EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../api/ctx.ts'
import type { CloudSettings } from '../cloud.ts'
import { CloudError } from '../errors.ts'
import type { Scope } from '../instances.ts'
import { Remembered } from '../remembered.ts'
import { told } from '../wire/told.ts'
import { toCloudError } from './errors.ts'
import { getCallerIdentity, stsEndpoint, type Keys } from './sts.ts'
import { ttlMs } from './ttl.ts'

type Client = Pick<EC2Client, 'config'>

/**
 * Which account our credentials are of: STS is asked once for each set of keys, and again when the SDK takes up new
 * ones. Where STS does not answer, EC2 tells it with the first instance that it shows. No call waits for STS again and
 * again, and none fails because of it.
 */
export class Identity {
  readonly #settings: CloudSettings
  readonly #asked = new Remembered<Said>({ keepMs: (said) => keepMs[said.is], most: 20 })
  /** By access key: what EC2 has shown, which is as good as what STS says. */
  readonly #shown = new Map<string, string>()

  constructor(settings: CloudSettings) {
    this.#settings = settings
  }

  /** Undefined: it is not known. */
  async accountOf(client: Client, scope: Scope, ctx: Ctx): Promise<string | undefined> {
    const keys = await keysOf(client)
    if (!keys) return undefined
    const shown = this.#shown.get(keys.accessKeyId)
    if (shown !== undefined) return shown
    const said = await this.#asked.get(keys.accessKeyId, () => this.#ask(client, { scope, keys }, ctx), ctx)
    return said.is === 'known' ? said.account : undefined
  }

  /** EC2 names the account of whoever asks in each of its answers that show an instance. */
  async learn(client: Client, account: string): Promise<void> {
    const keys = await keysOf(client)
    if (!keys) return
    // Keys are renewed every hour: only those of now are of use.
    if (!this.#shown.has(keys.accessKeyId)) this.#shown.clear()
    this.#shown.set(keys.accessKeyId, account)
  }

  async #ask(client: Client, { scope, keys }: { scope: Scope; keys: Keys }, ctx: Ctx): Promise<Said> {
    const url = stsEndpoint(() => client.config.endpointProvider({ Region: scope.region }).url)
    if (!url) return { is: 'silent' }
    const { signal, clock } = ctx
    const call = { url, region: scope.region, keys, nowMs: clock.now(), signal }
    const sent = { scope, action: 'GetCallerIdentity', waitedMs: 0 }
    try {
      const send = () => getCallerIdentity(call)
      const account = await told({ sent, send, errorOf: toCloudError }, this.#settings, ctx)
      return account === undefined ? { is: 'refused' } : { is: 'known', account }
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof CloudError)) throw thrown
      return { is: 'silent' }
    }
  }
}

/** What became of the question. */
type Said = { readonly is: 'known'; readonly account: string } | { readonly is: 'refused' | 'silent' }

const keepMs: Readonly<Record<Said['is'], number>> = {
  known: ttlMs.account,
  refused: ttlMs.nothing,
  silent: ttlMs.noAccount,
}

/** Where there are none, the call that needs them says so in the SDK's own words. */
async function keysOf({ config }: Client): Promise<Keys | undefined> {
  try {
    return await config.credentials()
  } catch {
    return undefined
  }
}
