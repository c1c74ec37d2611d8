import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Ctx } from '../../api/ctx.ts'
import type { Options } from '../../config/options.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { Lease, type Predecessor } from '../runtime/process/lease.ts'
import type { Runnable } from '../runtime/process/manager.ts'
import { podNamespace } from '../runtime/client/service-account.ts'

/** Whether this process may act, if there are several. */
export interface Election {
  held(): boolean
  /** The lease was ours and is lost. The process is about to end. */
  lost(): boolean
  /** The lease as this process found it. Undefined if there was none, or if there is no election. */
  predecessor(): Predecessor | undefined
  /** The Lease that decides. Without an election: the Lease that would decide. */
  readonly lease: { readonly namespace: string; readonly name: string }
  /** They start before the controllers, and so stop after them. */
  readonly runnables: readonly Runnable[]
}

/** The default namespace of the manager. */
const installedIn = 'capspot-system'

/** After the lease is lost no work in progress is worth waiting for: another replica continues it. */
const endsWithinMs = 1_000

/** Without --leader-elect there is no other process, and nothing to wait for. */
const alone = { held: () => true, lost: () => false, predecessor: () => undefined, runnables: [] }

export async function elect(client: KubeClient, options: Options, ctx: Ctx): Promise<Election> {
  const namespace = options.leaderElectionNamespace || (await podNamespace()) || installedIn
  const named = { namespace, name: options.leaderElectionId }
  if (!options.leaderElect) return { ...alone, lease: named }
  const { leaderElectionIdentity: pod } = options
  const identity = pod ? `${pod}/${randomUUID()}` : `${hostname()}_${randomUUID()}`
  const lease = new Lease({ client, lease: named, identity }, ctx)
  const runnable: Runnable = {
    name: 'Lease',
    run: (own) => lease.run(own),
    ready: (own) => lease.acquired(own),
    leavesMs: endsWithinMs,
  }
  return {
    held: () => lease.held(),
    lost: () => lease.lost(),
    predecessor: () => lease.predecessor(),
    lease: named,
    runnables: [runnable],
  }
}
