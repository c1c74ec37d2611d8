import type { Clock, Log } from '../../../api/ctx.ts'
import type { BucketTableName } from './control/bucket-control.ts'
import { silentLog } from './log.ts'
import { noNodes, type NodeRegistrar } from './instances/nodes.ts'
import type { Lag } from './instances/read-lag.ts'

/** How long a cloud takes, in milliseconds of the simulator's clock. */
export interface Delays {
  /** From the acceptance of a launch, or a start, to running. */
  readonly bootMs: number
  /** From a stop to stopped. */
  readonly stopMs: number
  /** From a deletion until the instance is gone. */
  readonly shutdownMs: number
  /** From the notice of an interruption to its effect: two minutes at EC2, half a minute in the other clouds. */
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
