import { readAttempt, type Attempt } from '../../../api/attempt.ts'
import { findCondition } from '../../../api/conditions.ts'
import type { Interruption } from '../../../api/interruption.ts'
import type { InfraMachine, Machine, MachineSet } from '../../../api/machine.ts'
import type { KubeObject } from '../../../api/meta.ts'
import { offeringOf } from '../../../api/rules/capacity/chosen.ts'
import { decidedFor } from '../../../api/rules/interruption/in-words.ts'
import { controllerOf } from '../machine-sets.ts'
import type { World } from '../world.ts'
import { fallsAfterMs, onDemandRung } from './share.ts'

/** Some clocks may be set forward. */
const certainlyBeforeMs = fallsAfterMs / 4

/** What a law has to know of the past of MachineSets and their Machines. */
export class ShareWatch {
  readonly #world: World
  /** The most Machines that it was to have, by uid of the MachineSet. */
  readonly #most = new Map<string, number>()
  /** By uid of the MachineSet. */
  readonly #disturbed = new Set<string>()
  /** The MachineSet that counted it, by uid of the Machine. */
  readonly #countedBy = new Map<string, string>()
  /** The one that did before. */
  readonly #left = new Map<string, string>()
  /** By uid of the Machine. */
  readonly #bornAt = new Map<string, number>()
  /** What was asked for last, by uid of the Machine. */
  readonly #asks = new Map<string, string>()
  /** By uid of the Machine. */
  readonly #mayHaveFallen = new Set<string>()

  constructor(world: World) {
    this.#world = world
  }

  /** An object was written. */
  changed(kind: string, key: string, object: KubeObject | undefined): void {
    if (!object) return
    if (kind === 'MachineSet') this.#wants(object as MachineSet)
    if (kind !== 'Machine' && kind !== 'AWSMachine') return
    const { apiserver } = this.#world
    const machine = apiserver.get('Machine', key) as Machine | undefined
    if (machine) this.#heard(machine, apiserver.get('AWSMachine', key) as InfraMachine | undefined)
  }

  /** etcd was restored: what was decided since is forgotten. */
  restored(): void {
    for (const uid of this.#most.keys()) this.#disturbed.add(uid)
  }

  /** The most Machines that it was ever to have. */
  mostOf({ metadata: { uid = '' } }: MachineSet): number {
    return this.#most.get(uid) ?? 0
  }

  /** Somebody has decided without knowing what the others are. */
  isDisturbed({ metadata: { uid = '' } }: MachineSet): boolean {
    return this.#disturbed.has(uid)
  }

  /** It has waited for so long that it asks for what is on demand. */
  mayHaveFallen({ metadata: { uid = '' } }: Machine): boolean {
    return this.#mayHaveFallen.has(uid)
  }

  #wants({ metadata: { uid = '' }, spec: { replicas = 1 } }: MachineSet): void {
    this.#most.set(uid, Math.max(replicas, this.#most.get(uid) ?? 0))
  }

  #heard(machine: Machine, infra: InfraMachine | undefined): void {
    const { uid = '' } = machine.metadata
    if (!this.#bornAt.has(uid)) this.#bornAt.set(uid, this.#world.clock.now)
    const controller = controllerOf(machine)
    const set = controller?.kind === 'MachineSet' ? controller.uid : undefined
    const attempt = attemptOf(infra)
    this.#comesOrGoes(uid, isLeaving(machine, infra) ? undefined : set)
    if (set !== undefined && attempt) this.#asked(uid, set, attempt)
  }

  /** While it did not count, another may have been chosen in its place. */
  #comesOrGoes(uid: string, set: string | undefined): void {
    const before = this.#countedBy.get(uid)
    if (set !== undefined) {
      if (this.#left.has(uid)) this.#disturbed.add(set)
      this.#countedBy.set(uid, set)
    } else if (before !== undefined) this.#left.set(uid, before)
  }

  #asked(uid: string, set: string, attempt: Attempt): void {
    const { token, holder, invalid = [] } = attempt
    const market = offeringOf(attempt)?.capacityType
    const ask = `${token} ${market}`
    if (this.#asks.get(uid) === ask) return
    this.#asks.set(uid, ask)
    // A write that was under way when another process began to decide.
    const isLate = holder !== this.#world.managers.leaderName
    // What can never work for it is not waited for.
    const cannot = market === 'Spot' && invalid.includes(onDemandRung)
    if (isLate || cannot) this.#disturbed.add(set)
    const waited = this.#world.clock.now - (this.#bornAt.get(uid) ?? 0)
    if (market === 'OnDemand' && waited >= certainlyBeforeMs) this.#mayHaveFallen.add(uid)
    else this.#mayHaveFallen.delete(uid)
  }
}

export function attemptOf(infra: InfraMachine | undefined): Attempt | undefined {
  const reading = infra && readAttempt(infra)
  return reading?.is === 'ours' ? reading.attempt : undefined
}

/** It is deleted, has failed, or is replaced after a notice. */
function isLeaving(machine: Machine, infra: InfraMachine | undefined): boolean {
  if ([machine, infra].some((one) => one?.metadata.deletionTimestamp !== undefined)) return true
  if (findCondition(infra?.status?.conditions, 'Ready')?.status === 'False') return true
  const { handle } = attemptOf(infra) ?? {}
  return handle !== undefined && endsAfterNotice(decidedFor(machine, handle))
}

function endsAfterNotice(decided: Interruption | undefined): boolean {
  return (decided?.act === 'Delete' || decided?.act === 'Remediate') && decided.isWaiting !== true
}
