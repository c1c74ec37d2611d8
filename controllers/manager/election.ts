import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Ctx } from '../../api/ctx.ts'
import type { Options } from '../../config/options.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { Lease, type Predecessor } from '../runtime/process/lease.ts'
import type { Runnable } from '../runtime/process/manager.ts'
import { podNamespace } from '../runtime/client/service-account.ts'

/** Whether this process may act, among several that want to. */
export interface Election {
  held(): boolean
  /** It was ours and is not any more: the process is about to end. */
  lost(): boolean
  /** What this process found when it took over; undefined where there was no lease, or none is needed. */
  predecessor(): Predecessor | undefined
  /** By which one of several is chosen; without an election that by which it would be. */
  readonly lease: { readonly namespace: string; readonly name: string }
  /** To be started before whoever acts, and so to be stopped after them. */
  readonly runnables: readonly Runnable[]
}

/** Where the manager is installed unless told otherwise. */
const installedIn = 'capspot-system'

/** Once it is lost nothing that is under way is worth waiting for: another replica goes on with it. */
const endsWithinMs = 1_000

/** Without --leader-elect there is nobody else, and nothing to wait for. */
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
