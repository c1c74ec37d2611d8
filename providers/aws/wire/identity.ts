import { DescribeSecurityGroupsCommand, type EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import type { CloudSettings } from '../../cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Scope } from '../../../api/scope.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { sendCounted } from '../../wire/call-line.ts'
import { toCloudError } from './errors.ts'
import { getCallerIdentity, stsEndpoint, type Keys } from './sts.ts'
import { ttlMs } from '../lookups/ttl.ts'

type Client = Pick<EC2Client, 'config' | 'send'>

/**
 * The account of our credentials. STS is asked once for each set of keys, and again when the SDK takes up new keys.
 * Where STS does not answer, EC2 is asked for the default security groups: an account can share none of them, so those
 * that it shows are its own. Otherwise the first instance that EC2 shows tells the account. No call waits for STS
 * twice, and none fails because of it.
 */
export class Identity {
  readonly #settings: CloudSettings
  readonly #asked = new TtlCache<Said>({ keepMs: (said) => keepMs[said.is], most: 20 })
  /** The account that EC2 has shown, by access key. It is as good as an answer of STS. */
  readonly #shown = new Map<string, string>()

  constructor(settings: CloudSettings) {
    this.#settings = settings
  }

  /** Undefined: the account is not known. */
  async accountOf(client: Client, scope: Scope, ctx: Ctx): Promise<string | undefined> {
    const keys = await keysOf(client)
    if (!keys) return undefined
    const said = await this.#asked.get(keys.accessKeyId, () => this.#ask(client, { scope, keys }, ctx), ctx)
    // STS comes first: the instance may have been shown to earlier keys.
    return said.is === 'known' ? said.account : this.#shown.get(keys.accessKeyId)
  }

  /** Keeps the account that EC2 names in each answer that shows an instance. */
  async learn(client: Client, account: string): Promise<void> {
    const keys = await keysOf(client)
    if (!keys) return
    // Keys are renewed every hour, and only the present ones are of use.
    if (!this.#shown.has(keys.accessKeyId)) this.#shown.clear()
    this.#shown.set(keys.accessKeyId, account)
  }

  async #ask(client: Client, asker: { scope: Scope; keys: Keys }, ctx: Ctx): Promise<Said> {
    const said = await this.#askSts(client, asker, ctx)
    return said.is === 'known' ? said : ((await this.#askGroups(client, asker, ctx)) ?? said)
  }

  /** Undefined: EC2 does not tell it. It waits for no turn, because it runs within the turn of another call. */
  async #askGroups(client: Client, { scope, keys }: { scope: Scope; keys: Keys }, ctx: Ctx): Promise<Said | undefined> {
    const command = new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'group-name', Values: ['default'] }] })
    using deadline = new Deadline(longestCallMs, () => new Error('EC2 gave no answer in time.'), ctx)
    const send = () => client.send(command, { abortSignal: deadline.signal })
    const sent = { scope, action: 'DescribeSecurityGroups', waitedMs: 0 }
    try {
      const { SecurityGroups = [] } = await sendCounted({ sent, send, errorOf: toCloudError }, this.#settings, ctx)
      const [account, ...others] = new Set(SecurityGroups.map(({ OwnerId }) => OwnerId))
      const isSure =
        account !== undefined && others.length === 0 && (await keysOf(client))?.accessKeyId === keys.accessKeyId
      return isSure ? { is: 'known', account } : undefined
    } catch (thrown) {
      if (ctx.signal.aborted || !(thrown instanceof CloudError)) throw thrown
      return undefined
    }
  }

  async #askSts(client: Client, { scope, keys }: { scope: Scope; keys: Keys }, ctx: Ctx): Promise<Said> {
    const url = stsEndpoint(() => client.config.endpointProvider({ Region: scope.region }).url)
    if (!url) return { is: 'silent' }
    const { signal, clock } = ctx
    const call = { url, region: scope.region, keys, nowMs: clock.now(), signal }
    const sent = { scope, action: 'GetCallerIdentity', waitedMs: 0 }
    try {
      const send = () => getCallerIdentity(call)
      const account = await sendCounted({ sent, send, errorOf: toCloudError }, this.#settings, ctx)
      return account === undefined ? { is: 'refused' } : { is: 'known', account }
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof CloudError)) throw thrown
      return { is: 'silent' }
    }
  }
}

/** The outcome of a question for the account. */
type Said = { readonly is: 'known'; readonly account: string } | { readonly is: 'refused' | 'silent' }

const keepMs: Readonly<Record<Said['is'], number>> = {
  known: ttlMs.account,
  refused: ttlMs.nothing,
  silent: ttlMs.noAccount,
}

/** Undefined where there are none: the call that needs keys fails in the SDK's own words. */
async function keysOf({ config }: Client): Promise<Keys | undefined> {
  try {
    return await config.credentials()
  } catch {
    return undefined
  }
}
