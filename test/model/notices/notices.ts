import { readAttempt } from '../../../api/attempt.ts'
import { core as coreLabels, requests } from '../../../api/labels.ts'
import type { Machine, NodeCondition } from '../../../api/machine.ts'
import type { KubeObject } from '../../../api/meta.ts'
import { keyOf } from '../../../controllers/runtime/client/resource.ts'
import type { Announcements } from './announcements.ts'
import type { Core } from '../core.ts'
import type { InterruptionLaws } from './laws.ts'
import type { LyingCloud } from '../lying-cloud.ts'
import { nowOf, type Truth } from '../truth.ts'
import type { Nodes } from './nodes.ts'
import { epoch } from '../process.ts'
import type { FakeApiserver } from '../../support/fakes/fake-apiserver.ts'
import type { WorldClock } from '../world-clock.ts'

interface Parts {
  readonly clock: WorldClock
  readonly cloud: LyingCloud
  readonly core: Core
  readonly apiserver: FakeApiserver
  readonly nodes: Nodes
  readonly announcements: Announcements
}

/** Of the last two nobody ends the instance for certain. */
export type NodeSays = 'Terminating' | 'SpotInterruption' | 'MaintenanceScheduled' | 'RebalanceRecommended'

function isRecommendation(type: NodeSays): boolean {
  return type === 'MaintenanceScheduled' || type === 'RebalanceRecommended'
}

/** What an announcement says, and whether it comes true. */
export interface Announced {
  /** Undefined: it names no time. */
  readonly inMs?: number
  readonly comesTrue: boolean
}

/** Those who announce the end of an instance: the cloud, an agent on its Node, and users. */
export class Notices {
  readonly #parts: Parts
  readonly #laws: InterruptionLaws

  constructor(parts: Parts, laws: InterruptionLaws) {
    this.#parts = parts
    this.#laws = laws
  }

  /** The cloud announces that it takes this instance back. */
  announce(truth: Truth, { inMs, comesTrue }: Announced): void {
    const { clock, announcements } = this.#parts
    this.#laws.announced(truth.id)
    const at = epoch + clock.now
    const deadline = inMs === undefined ? {} : { deadline: at + inMs }
    announcements.show({ instance: truth.id, kind: 'Spot', at, ...deadline, source: 'SpotRequests' })
    if (comesTrue) this.#takeIn(inMs, truth)
  }

  /** The cloud says that this instance should be replaced. */
  recommend(truth: Truth): void {
    const { clock, announcements } = this.#parts
    this.#laws.recommended(truth.id)
    const at = epoch + clock.now
    announcements.show({ instance: truth.id, kind: 'Rebalance', at, source: 'SpotRequests' })
  }

  /** An agent writes a condition to the Node of this Machine. */
  sayOnNode(key: string, type: NodeSays, said: Announced): void {
    const { clock, nodes } = this.#parts
    const instance = nodes.all.get(key)?.spec?.providerID?.split('/').at(-1)
    if (instance === undefined) return
    if (isRecommendation(type)) this.#laws.recommended(instance)
    else this.#laws.announced(instance)
    const { inMs, comesTrue } = said
    const message = inMs === undefined ? 'Soon' : `At ${new Date(epoch + clock.now + inMs).toISOString()}`
    const lastTransitionTime = new Date(epoch + clock.now).toISOString()
    const condition: NodeCondition = { type, status: 'True', reason: 'Model', message, lastTransitionTime }
    nodes.say(key, [condition])
    const truth = this.#parts.cloud.alive().find(({ id }) => id === instance)
    if (comesTrue && truth) this.#takeIn(inMs, truth)
  }

  /** The agent takes back what it wrote. */
  takeBack(key: string): void {
    this.#parts.nodes.say(key, [])
  }

  /** A user asks for a fire drill, or pauses the Machine, or edits what stands on it. Undefined: remove it. */
  note(key: string, annotations: Readonly<Record<string, string | undefined>>): void {
    const { apiserver } = this.#parts
    const machine = apiserver.get('Machine', key)
    if (!machine) return
    const all = Object.entries({ ...machine.metadata.annotations, ...annotations })
    const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined)
    const metadata = { ...machine.metadata, annotations: Object.fromEntries(kept) }
    apiserver.put('Machine', { ...machine, metadata })
  }

  rehearse(key: string, time: string): void {
    this.note(key, { [requests.rehearse]: time })
  }

  pause(key: string): void {
    this.note(key, { [coreLabels.paused]: '' })
  }

  resume(key: string): void {
    this.note(key, { [coreLabels.paused]: undefined })
  }

  /** The cloud shows no notice any more. */
  clear(): void {
    this.#parts.announcements.clear()
  }

  /** Announces the end of a running instance of a MachineSet, which does not come true. Returns its Machine. */
  announceOne(): Machine | undefined {
    return this.#ofFirst(this.#parts.core.machinesOfSets(), (truth) => this.announce(truth, { comesTrue: false }))
  }

  /** The same for a recommendation, of another Machine if there is one. */
  recommendOne(): Machine | undefined {
    return this.#ofFirst(this.#parts.core.machinesOfSets().toReversed(), (truth) => this.recommend(truth))
  }

  #ofFirst(machines: readonly Machine[], say: (truth: Truth) => void): Machine | undefined {
    const { core, cloud } = this.#parts
    for (const machine of machines) {
      const infra = core.infraOf(machine)
      const reading = infra && readAttempt(infra)
      const handle = reading?.is === 'ours' ? reading.attempt.handle : undefined
      const truth = cloud.alive().find(({ id }) => id === handle)
      // Nobody looks for such notices where nothing is spot.
      const isSpot = truth !== undefined && nowOf(truth).capacityType === 'Spot'
      if (!isSpot || machine.metadata.deletionTimestamp !== undefined) continue
      say(truth)
      return machine
    }
    return undefined
  }

  #takeIn(inMs = 120_000, truth: Truth): void {
    const { clock, cloud } = this.#parts
    clock.after(inMs, () => cloud.preempt(truth, 'terminated'))
  }
}

/** The Machine with this number among those of the MachineSets. */
export function nthOfSets({ core }: { readonly core: Core }, nth: number): string | undefined {
  const all = core.machinesOfSets()
  const one: KubeObject | undefined = all[nth % Math.max(1, all.length)]
  return one && keyOf(one)
}
