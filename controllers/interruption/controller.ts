import { isDeepStrictEqual } from 'node:util'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { findCondition } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { readInterruption } from '../../api/interruption.ts'
import { core, requests } from '../../api/labels.ts'
import type { InfraMachine, Machine, MachineDeployment, MachineSet } from '../../api/machine.ts'
import { owningMachineKey } from '../../api/machine.ts'
import { controllingMachineSet, isHooked } from '../../api/rules/interruption/interrupted-machine.ts'
import { machineSetKeyOf } from './machine-set-key.ts'
import { aheadKeyOf, plannedAhead } from './planned/owner-keys.ts'
import { watching } from '../runtime/cache/watching.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { mattersToUs, type Sides } from '../shared/changes.ts'
import { DeletedMachines } from './deleted-machines.ts'
import type { InterruptionDeps } from './deps.ts'
import { isMortalMachine } from './planned/planned.ts'
import { reconcileInterruption } from './reconcile.ts'
import { Timelines } from './timelines.ts'

/** Reconciles Machines that have a decision, or for which a rehearsal is asked. */
export async function runInterruptions(deps: InterruptionDeps, run: Run, ctx: Ctx): Promise<void> {
  const { machines, machineSets, machineDeployments, clusters, policies, infraMachines } = deps
  const ofSet = (set: string) => machines.by('machineSet', set).filter(isConcerned).map(keyOf)
  const ofDeployment = (key: string) => machineSets.by('deployment', key).flatMap((set) => ofSet(keyOf(set)))
  const waitingBeside = (machine: Machine) =>
    machineSetKeyOf(machine).flatMap((set) => machines.by('machineSet', set).filter(isHooked).map(keyOf))
  /** A notice waits while its Machine is paused, or while the cache lacks our last write. */
  const isAwaited = (machine: Machine) =>
    isConcerned(machine) || deps.notices.has(keyOf(machine)) || isMortalMachine(machine, deps)
  /** Those that wait for the turn that this one has had. */
  const nextInTurn = (before: Machine | undefined) =>
    (before ? aheadKeyOf(before) : []).flatMap((owner) => machines.by('waiting', owner).map(keyOf))
  const isKnown = (key: string) => {
    const machine = machines.get(key)
    return machine !== undefined && isAwaited(machine)
  }
  const watches = [
    watching(machines, (change: Sides<Machine>) => {
      const machine = change.after ?? change.before
      if (!machine) return []
      const others = [
        ...(differ(change, countedOf) ? waitingBeside(machine) : []),
        ...(differ(change, plannedAhead) ? nextInTurn(change.before) : []),
      ]
      return isAwaited(machine) ? [keyOf(machine), ...others] : others
    }),
    watching(machineSets, (change) => (differ(change, decisiveOf) ? eitherOf<MachineSet>(change).flatMap(ofSet) : [])),
    watching(machineDeployments, (change) =>
      differ(change, decisiveOf) ? eitherOf<MachineDeployment>(change).flatMap(ofDeployment) : [],
    ),
    watching(clusters, (change) =>
      mattersToUs(change)
        ? eitherOf(change).flatMap((key) => machines.by('cluster', key).filter(isAwaited).map(keyOf))
        : [],
    ),
    watching(policies, (change) =>
      differ(change, ({ metadata, spec }) => [metadata.creationTimestamp, spec])
        ? [change.before, change.after]
            .flatMap((policy) => (policy ? clusterKeyOfPolicy(policy) : []))
            .flatMap((key) => machines.by('cluster', key).filter(isAwaited).map(keyOf))
        : [],
    ),
    ...[...infraMachines.values()].map((cache) =>
      watching(cache, ({ before, after }: Sides<InfraMachine>) => {
        const infra = after ?? before
        return infra ? owningMachineKey(infra).filter(isKnown) : []
      }),
    ),
  ]
  const { recorded, stop } = Timelines.follow({ ...deps, passed: deps.series.passed }, ctx)
  const own = { ...deps, recorded, deleted: new DeletedMachines() }
  const reconcile = (key: string, passCtx: Ctx) => reconcileInterruption(key, own, passCtx)
  try {
    await runWatched({ name: 'Interruption', kind: 'Machine', ...run, reconcile, watches }, ctx)
  } finally {
    stop()
  }
}

function differ<T>({ before, after }: Sides<T>, factsOf: (object: T) => unknown): boolean {
  return !isDeepStrictEqual(before && factsOf(before), after && factsOf(after))
}

/** The rest is mostly status. In a storm that changes with each Machine, and each of them would wake all others. */
function decisiveOf({ metadata, ...rest }: MachineSet | MachineDeployment): unknown {
  const { ownerReferences, deletionTimestamp, annotations } = metadata
  return [rest, ownerReferences, deletionTimestamp, annotations?.[core.revision]]
}

/** What decides how many Machines a MachineSet lacks. */
function countedOf(machine: Machine): unknown {
  const { metadata, status } = machine
  const available = findCondition(status?.conditions, 'Available')?.status
  return [available, metadata.deletionTimestamp, isHooked(machine), controllingMachineSet(machine)]
}

function clusterKeyOfPolicy({ metadata, spec }: InterruptionPolicy): string[] {
  return [`${metadata.namespace}/${spec.clusterName}`]
}

function eitherOf<T extends Parameters<typeof keyOf>[0]>({ before, after }: Sides<T>): string[] {
  const object = after ?? before
  return object ? [keyOf(object)] : []
}

function isConcerned(machine: Machine): boolean {
  const { annotations = {} } = machine.metadata
  const isAsked = requests.rehearse in annotations || core.preDrainHook in annotations
  return isAsked || readInterruption(machine).is !== 'none'
}
