import type { Clock, Log } from '../../../api/ctx.ts'
import type { RecordedRequest } from '../common/journal.ts'
import { noNodes, type NodeRegistrar } from '../common/nodes.ts'
import { startCloud } from '../common/simulator.ts'
import { silentLog } from '../common/log.ts'
import type { Account } from './account.ts'
import { readCall, type Ec2Call } from './call.ts'
import { Capacity } from './capacity.ts'
import { instanceControl, instanceVerbs, type AwsControl } from './control.ts'
import { answerCall, codeOf, refusal } from './ec2.ts'
import { awsFacts, type AwsFacts } from './facts.ts'
import { Instances } from './instances.ts'
import { Lifecycle, type Delays } from './lifecycle.ts'
import type { AccessKeys } from './signature.ts'
import { somewhere, standardWorld, type World } from './world.ts'

export interface AwsSimulatorOptions extends Partial<Delays> {
  readonly clock: Clock
  readonly log?: Log
  /** Left out: any free port. */
  readonly port?: number
  /** Who plays the kubelets; left out: there are no Nodes. */
  readonly nodes?: NodeRegistrar
  /** Left out: the standard one, with addresses that no other simulator uses. */
  readonly world?: World
  /** Left out: any key will do. */
  readonly keys?: AccessKeys
}

export interface AwsSimulator {
  readonly url: string
  readonly facts: AwsFacts
  readonly control: AwsControl
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** EC2 of one account in one region, on one port. */
export async function startAwsSimulator(options: AwsSimulatorOptions): Promise<AwsSimulator> {
  const { clock, log = silentLog, port = 0, nodes = noNodes, world = standardWorld(somewhere()) } = options
  const { bootMs = 2000, stopMs = 1000, shutdownMs = 1000, noticeMs = 0 } = options
  const delays = { bootMs, stopMs, shutdownMs, noticeMs }
  let keys = options.keys
  const instances = new Instances(world)
  const lifecycle = new Lifecycle({
    clock,
    log,
    nodes,
    region: world.region,
    delays,
    released: (instance) => instances.release(instance),
  })
  const account: Account = { world, instances, lifecycle, capacity: new Capacity(), clock }
  const control = instanceControl({ account, delays, setKeys: (next) => (keys = next) })

  const running = await startCloud<Ec2Call>(
    {
      cloud: 'aws',
      understand: readCall,
      perform: (call) => answerCall(call, account, keys),
      refuse: refusal,
      codeOf,
      verbs: instanceVerbs(control, () => clock.now()),
      views: { instances: () => control.instances(), capacity: () => account.capacity.missing(clock.now()) },
      close: () => lifecycle.close(),
    },
    { clock, log, port },
  )
  return {
    url: running.url,
    facts: awsFacts(world, running.url),
    control: { ...control, ...running.faults },
    requests: running.requests,
    close: () => running.close(),
  }
}
