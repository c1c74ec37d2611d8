import { findCondition, timeOf } from '../../api/conditions.ts'
import { readAttempt } from '../../api/attempt.ts'
import { spotKind } from '../../api/kinds.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { MachineReason } from '../../api/reasons.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { launchOf } from '../lab/clouds/launch-of.ts'
import type { Lab } from '../lab/lab.ts'

/** How long machines waited, from the first pass that wanted to launch them and held them back. */
export interface TurnFigures {
  /** The machines that were held back before their first request, and how many of them went without one. */
  readonly waited: number
  readonly neverAsked: number
  /** The longest wait for a turn. Objects tell it to the second. */
  readonly longestTurnSeconds: number
  /** The longest wait for a request. From its turn on a machine waits for the cloud's bucket, as any launch does. */
  readonly longestWaitSeconds: number
}

interface Turn {
  heldAt?: number
  /** Of its first attempt. One that is held back again keeps the token, and its time is that of the turn. */
  token?: string
  turnAt?: number
}

const isHeldBack: MachineReason = 'CapacityBackoff'

/** Watches the infra machines of a namespace, which have no `fallback`, from now on. */
export class TurnWatch {
  readonly #cloud: LabCloud
  readonly #turns = new Map<string, Turn>()

  private constructor(cloud: LabCloud) {
    this.#cloud = cloud
  }

  static async start(lab: Lab, { cloud, namespace }: { cloud: LabCloud; namespace: string }): Promise<TurnWatch> {
    const watch = new TurnWatch(cloud)
    const resource = spotKind(`${cloud.prefix}Machine`)
    const project = (raw: object) => raw as InfraMachine
    const cache = createCache<InfraMachine>({ client: lab.client, resource, namespace, project })
    cache.onChange(({ after }) => after && watch.#note(after))
    void cache.run(lab.ctx)
    await cache.synced(lab.ctx)
    return watch
  }

  figures(): TurnFigures {
    const firstAskedAt = this.#firstAskedAt()
    const held = [...this.#turns.values()].filter(({ heldAt }) => heldAt !== undefined)
    const asked = held.flatMap(({ heldAt = 0, token = '', turnAt = 0 }) => {
      const at = firstAskedAt.get(token)
      return at === undefined ? [] : [{ turnMs: turnAt - heldAt, waitMs: at - heldAt }]
    })
    return {
      waited: held.length,
      neverAsked: held.length - asked.length,
      longestTurnSeconds: Math.max(0, ...asked.map(({ turnMs }) => turnMs)) / 1000,
      longestWaitSeconds: Math.max(0, ...asked.map(({ waitMs }) => waitMs)) / 1000,
    }
  }

  #note(infra: InfraMachine): void {
    const { uid = '' } = infra.metadata
    const turn: Turn = this.#turns.get(uid) ?? {}
    this.#turns.set(uid, turn)
    const ready = findCondition(infra.status?.conditions, 'Ready')
    if (ready?.reason === isHeldBack) turn.heldAt ??= timeOf(ready.lastTransitionTime) ?? 0
    const reading = readAttempt(infra)
    if (reading.is !== 'ours') return
    const { token, startedAt } = reading.attempt
    turn.token ??= token
    if (turn.token === token) turn.turnAt = timeOf(startedAt) ?? 0
  }

  /** By token, when the cloud got its first call. */
  #firstAskedAt(): ReadonlyMap<string, number> {
    const { control, createAction } = this.#cloud
    const asked = new Map<string, number>()
    for (const request of control.requests().filter(({ action }) => action === createAction)) {
      const token = launchOf(request)?.token
      if (token !== undefined && !asked.has(token)) asked.set(token, request.at)
    }
    return asked
  }
}
