import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { readAttempt, type Attempt } from '../../api/attempt.ts'
import { timeOf } from '../../api/conditions.ts'
import { readInterruption, type Interruption } from '../../api/interruption.ts'
import { core } from '../../api/labels.ts'
import type { Cluster, InfraMachine, Machine } from '../../api/machine.ts'
import { isPlanned } from '../../api/notice.ts'
import { isHooked } from '../../api/rules/interruption/interrupted-machine.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import type { MachineSetNow } from '../../api/rules/interruption/on-notice.ts'
import { stillWaiting } from '../../api/rules/interruption/replacement-count.ts'
import { beganAt, hasEnded } from '../../api/rules/outcome.ts'
import { byAge, policyFor, termsOf } from '../../api/rules/policy.ts'
import type { Scope } from '../../api/scope.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { infraOf } from '../shared/infra-of.ts'
import type { InterruptionDeps } from './deps.ts'

/** A Machine with everything around it that decides about its notice. */
export interface Scene {
  readonly key: string
  readonly machine: Machine
  readonly cluster: Cluster | undefined
  readonly infra: InfraMachine | undefined
  readonly attempt: Attempt | undefined
  /** The cloud's id of its instance. */
  readonly instance: string | undefined
  /** Of its attempt. */
  readonly scope: Scope | undefined
  /** Undefined: it has not run yet. */
  readonly runningSince: number | undefined
}

export function sceneOf(machine: Machine, deps: InterruptionDeps): Scene {
  const { metadata, spec } = machine
  const infra = infraOf(machine, deps)
  const reading = infra && readAttempt(infra)
  const attempt = reading?.is === 'ours' ? reading.attempt : undefined
  return {
    key: keyOf(machine),
    machine,
    cluster: deps.clusters.get(`${metadata.namespace}/${spec.clusterName}`),
    infra,
    attempt,
    instance: attempt?.handle,
    scope: attempt?.scope,
    runningSince: beganAt(infra, timeOf(attempt?.startedAt)),
  }
}

/** Whether the infra machines of its kind are known, so that one that is not there is gone. */
export function isInfraKnown({ spec }: Machine, { infraMachines }: InterruptionDeps): boolean {
  const cache = infraMachines.get(spec.infrastructureRef?.kind ?? '')
  return cache === undefined || (cache.hasSynced() && cache.connected())
}

/** Without an infra machine the instance is gone, and only what holds the Machine is let go. */
export function interruptionOf({ machine, instance, infra }: Scene): Interruption | undefined {
  if (infra) return decidedFor(machine, instance)
  const reading = readInterruption(machine)
  return reading.is === 'ours' ? reading.interruption : undefined
}

export function isOver({ infra }: Scene): boolean {
  return infra === undefined || hasEnded(infra)
}

/** The MachineSet of that name, unless it is gone or going. */
export function machineSetNow(
  namespace: string,
  name: string | undefined,
  { machineSets, machineDeployments }: InterruptionDeps,
): MachineSetNow | undefined {
  const set = name === undefined ? undefined : machineSets.get(`${namespace}/${name}`)
  if (!set || set.metadata.deletionTimestamp !== undefined) return undefined
  const owner = set.metadata.ownerReferences?.find(({ kind }) => kind === 'MachineDeployment')?.name
  if (owner === undefined) return { name: set.metadata.name, revision: undefined, isCurrent: true }
  const revision = machineDeployments.get(`${namespace}/${owner}`)?.metadata.annotations?.[core.revision]
  const isCurrent = revision !== undefined && set.metadata.annotations?.[core.revision] === revision
  return { name: set.metadata.name, revision, isCurrent }
}

/** Whether its MachineSet has enough Machines without this one. Only a Machine that waits for that asks. */
export function isReplaced({ machine }: Scene, decided: Interruption | undefined, deps: InterruptionDeps, now: number) {
  if (!isHooked(machine) || decided?.drain !== 'WhenReplaced') return false
  const { namespace, name } = machine.metadata
  const set = deps.machineSets.get(`${namespace}/${decided.machineSet}`)
  if (!set) return true
  const waiting = stillWaiting({
    name: set.metadata.name,
    replicas: set.spec.replicas ?? 1,
    machines: deps.machines.by('machineSet', keyOf(set)),
    // What is planned serves on, however long that takes.
    patienceMs: isPlanned(decided.kind) ? Infinity : termsOf(policyOf(machine, deps)?.spec).patienceMs,
    now,
  })
  return !waiting.has(name)
}

export function policyOf(machine: Machine, { policies }: InterruptionDeps): InterruptionPolicy | undefined {
  const { metadata, spec } = machine
  return policyFor(machine, byAge(policies.by('cluster', `${metadata.namespace}/${spec.clusterName}`)))
}
