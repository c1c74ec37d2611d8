import type { Clock, Log } from '../../../api/ctx.ts'
import type { BucketTableName } from './bucket-control.ts'
import { silentLog } from './log.ts'
import { noNodes, type NodeRegistrar } from './nodes.ts'
import type { Lag } from './read-lag.ts'

/**
 * How long a cloud takes, in milliseconds of the simulator's clock. What each means there, its own lifecycle.ts says.
 */
export interface Delays {
  readonly bootMs: number
  readonly stopMs: number
  readonly shutdownMs: number
  readonly noticeMs: number
}

/** What every simulator is started with. */
export interface SimulatorOptions<World, Table extends object> extends Partial<Delays> {
  readonly clock: Clock
  readonly log?: Log
  /** 0, or left out: any free port. */
  readonly port?: number
  /** Plays the kubelets; left out: there are no Nodes. */
  readonly nodes?: NodeRegistrar
  /** Left out: the standard one, with addresses that no other simulator uses. */
  readonly world?: World
  /** How often an account may call: as in the real cloud, as in a table of one's own, or, left out, as it likes. */
  readonly buckets?: BucketTableName | Table
  /** Left out: lists answer from now. */
  readonly lag?: Lag
  /** How many calls are remembered one by one, all being counted; left out: 10,000. */
  readonly keptRequests?: number
}

/** What an account is opened with: the options, with what is usual in place of what is left out. */
export interface Settings<World, Table extends object> {
  readonly clock: Clock
  readonly log: Log
  readonly nodes: NodeRegistrar
  readonly world: World
  readonly delays: Delays
  readonly table: BucketTableName | Table
  readonly lag: Lag | undefined
}

/** Delays that are not given are short, and of an interruption no notice is given. */
export function settingsOf<World, Table extends object>(
  options: SimulatorOptions<World, Table>,
  standardWorld: () => World,
): Settings<World, Table> {
  const { clock, log = silentLog, nodes = noNodes, world = standardWorld(), buckets: table = 'none', lag } = options
  const { bootMs = 2000, stopMs = 1000, shutdownMs = 1000, noticeMs = 0 } = options
  return { clock, log, nodes, world, table, lag, delays: { bootMs, stopMs, shutdownMs, noticeMs } }
}
