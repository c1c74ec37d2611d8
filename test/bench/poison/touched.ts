import { readInterruption } from '../../../api/interruption.ts'
import { machines } from '../../../api/kinds.ts'
import type { Machine } from '../../../api/machine.ts'
import type { Lab } from '../../lab/lab.ts'
import { instanceOf } from '../interruption/setting.ts'
import type { MachineWatch, Watched } from '../interruption/watch.ts'

interface Scene {
  readonly namespace: string
  readonly watch: MachineWatch
  readonly taintedAt: ReadonlyMap<string, number>
  readonly before: readonly Watched[]
  /** Those with a real notice. */
  readonly noticed: readonly Watched[]
}

/** How many Machines, Nodes and instances something was done to without a real notice. */
export async function touched(lab: Lab, scene: Scene): Promise<number> {
  const { namespace, watch, taintedAt, before, noticed } = scene
  const { items } = await lab.client.list<Machine>(machines, { namespace }, lab.ctx)
  const real = new Set(noticed.map(({ name }) => name))
  const others = before.filter(({ name }) => !real.has(name))
  const decided = items.filter((one) => !real.has(one.metadata.name) && readInterruption(one).is !== 'none')
  const deleted = others.filter(({ deletedAt }) => deletedAt !== undefined)
  const tainted = others.filter(({ node = '' }) => taintedAt.has(node))
  const made = watch.of().length - before.length - noticed.length
  return decided.length + deleted.length + tainted.length + made + wronglyEnded(lab, noticed)
}

/** Instances that the manager asked to end. */
function wronglyEnded({ aws }: Lab, noticed: readonly Watched[]): number {
  const ours = new Set<unknown>(noticed.map(instanceOf))
  const ends = aws.control.requests().filter(({ action }) => action === 'TerminateInstances')
  const ids = ends.flatMap(({ params }) =>
    Object.entries(params).flatMap(([name, value]) => (name.startsWith('InstanceId.') ? [value] : [])),
  )
  return new Set(ids.filter((id) => !ours.has(id))).size
}
