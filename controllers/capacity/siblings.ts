import { readAttempt, type Attempt } from '../../api/attempt.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { isCapacityType, type CapacityType } from '../../api/offering.ts'
import { offeringOf } from '../../api/rules/capacity/chosen.ts'
import { marketFor, type Distribution } from '../../api/rules/capacity/distribution.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import { controllingMachineSet } from '../../api/rules/interruption/interrupted-machine.ts'
import { hasEnded } from '../../api/rules/outcome.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { infraOf, type InfraMachines } from '../shared/infra-of.ts'
import type { Standing } from './claims.ts'

export interface SiblingsDeps extends InfraMachines {
  /** With the index `cluster`. */
  readonly machines: Pick<Cache<Machine>, 'by'>
  /** What a machine is about to ask for, or waits for. */
  readonly standingOf: (machine: string) => Standing | undefined
}

/** A machine that chooses, and the key of its Cluster. */
export interface Chooser {
  readonly machine: Machine
  readonly cluster: string
}

/** `spec.distribution`. A field that is no number counts as left out. */
export function distributionOf({ spec }: Pick<InfraMachine, 'spec'>): Distribution | undefined {
  const { distribution } = spec as { readonly distribution?: unknown }
  if (typeof distribution !== 'object' || distribution === null) return undefined
  const numbers = Object.entries(distribution).filter(([, value]) => typeof value === 'number')
  return Object.fromEntries(numbers)
}

/** The other Machines of a MachineSet, as far as `distribution` counts them. */
export class Siblings {
  readonly #deps: SiblingsDeps

  constructor(deps: SiblingsDeps) {
    this.#deps = deps
  }

  /**
   * The market that the machine has to use; undefined: any. Its own claim is left out. The caller
   * claims an offering before it awaits anything, or two machines would be the same one on demand.
   */
  marketFor(chooser: Chooser, distribution: Distribution): CapacityType | undefined {
    if (controllingMachineSet(chooser.machine) === undefined) return undefined
    return marketFor(this.marketsBeside(chooser), distribution)
  }

  /** Of the other living Machines of its MachineSet: what they ask for, what they wait for, or what they have. */
  marketsBeside({ machine, cluster }: Chooser): CapacityType[] {
    const set = controllingMachineSet(machine)
    if (set === undefined) return []
    const key = keyOf(machine)
    return this.#deps.machines
      .by('cluster', cluster)
      .filter((one) => keyOf(one) !== key && controllingMachineSet(one) === set)
      .flatMap((one) => this.#marketOf(one) ?? [])
  }

  /** Undefined: it has not chosen yet, or it goes and will be replaced. */
  #marketOf(machine: Machine): CapacityType | undefined {
    const infra = infraOf(machine, this.#deps)
    const reading = infra && readAttempt(infra)
    const attempt = reading?.is === 'ours' ? reading.attempt : undefined
    if (isLeaving(machine, infra, attempt)) return undefined
    // The claim is newer than the attempt that a cache shows.
    const standing = this.#deps.standingOf(keyOf(machine))
    if (standing) return standing.market ?? standing.asking.asked.offering.capacityType
    return attempt && (offeringOf(attempt)?.capacityType ?? boughtBy(infra, attempt))
  }
}

/** An attempt that has adopted its instance does not tell what was asked for, but its status what was bought. */
function boughtBy(infra: InfraMachine | undefined, { handle }: Attempt): CapacityType | undefined {
  const market = infra?.status?.capacityType
  return handle !== undefined && market !== undefined && isCapacityType(market) ? market : undefined
}

/** It is deleted or has failed, or a notice has decided that it is replaced. */
function isLeaving(machine: Machine, infra: InfraMachine | undefined, attempt: Attempt | undefined): boolean {
  const isDeleted = [machine, infra].some((one) => one?.metadata.deletionTimestamp !== undefined)
  const hasFailed = attempt?.refused !== undefined && attempt.refused.goesOn !== true
  return isDeleted || hasFailed || (infra !== undefined && hasEnded(infra)) || isReplaced(machine, attempt)
}

function isReplaced(machine: Machine, attempt: Attempt | undefined): boolean {
  const decided = attempt?.handle === undefined ? undefined : decidedFor(machine, attempt.handle)
  return (decided?.act === 'Delete' || decided?.act === 'Remediate') && decided.isWaiting !== true
}
