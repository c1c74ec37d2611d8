import type { Cloud } from '../../providers/cloud.ts'
import { normalized, normalizedNotices } from '../../providers/decorators/normalized.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import type { InstanceRef, Launch } from '../../providers/instances.ts'
import type { Scope } from '../../api/scope.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import type { Tamper } from '../simulators/kit/faults/spoils.ts'

/** One cloud's adapter in front of its simulator, with the switches that the suite needs. */
export interface Rig {
  readonly cloud: Cloud
  readonly scope: Scope
  /** The account that the simulator says its instances are in. */
  readonly account: string
  /** What the adapter's own `plan` makes of a small machine. */
  readonly request: Launch['request']
  /** The same, changed in a field that matters: another image, say. */
  readonly otherRequest: Launch['request']
  /** Lets everything that is on its way arrive: boots, stops, terminations. */
  settle(): Promise<void>
  /** The next create call is answered with the cloud's own word for this. */
  refuseNextCreate(kind: RefusalKind): void
  /** The next create is done, and its answer lost. */
  loseNextAnswer(): void
  /** The next create stands still until it is cut off, undone. */
  holdNextCreate(): { reached: Promise<unknown>; drop(): void }
  /** The next lists and looks, one or so many, are answered with a document that is not the cloud's. */
  answerForeign(times?: number): void
  /** The next list is answered in part, however often its page is requested. */
  listPartially(): void
  /** The pages of lists lead to one that was read before; answers with how many were asked for since. */
  listInCircles(): () => number
  /** From now on bodies of answers are changed on their way; undefined: none. */
  tamper(how: Tamper | undefined): void
  /** The cloud takes it back. */
  preempt(id: string): void
  vanish(id: string): void
  /** How many instances the cloud has that are not ended. */
  alive(): number
  /** Every create call that reached the cloud. */
  creates(): number
  close(): Promise<void>
}

/** The switch of every simulator for that. */
export function inCircles({ spoilNext, requests }: Circling, list: string): () => number {
  const asked = () => requests().filter(({ action }) => action === list).length
  const before = asked()
  spoilNext(list, 'repeated-token', 30)
  return () => asked() - before
}

interface Circling {
  readonly spoilNext: (action: string, how: 'repeated-token', count: number) => void
  readonly requests: () => readonly { readonly action: string }[]
}

/** A cloud as the manager uses it: whatever goes wrong is a `CloudError`. */
export function asUsed(cloud: Cloud): Cloud {
  return {
    ...cloud,
    instances: normalized(cloud.instances),
    ...(cloud.notices && { notices: cloud.notices.map(normalizedNotices) }),
  }
}

export function launchFor(rig: Rig, over: Partial<Launch> = {}): Launch {
  return {
    owner: 'ownerone01',
    machine: 'default/m1',
    token: 'tokennumber1',
    scope: rig.scope,
    request: rig.request,
    userData: new TextEncoder().encode('#cloud-config\n# canary'),
    clusterName: 'c1',
    ...over,
  }
}

export function refTo({ cloud }: Rig, want: Launch, id?: string): InstanceRef {
  const name = cloud.nameOf(want)
  return {
    scope: want.scope,
    tag: tagOf(want),
    ...(name === undefined ? {} : { name }),
    ...(id === undefined ? {} : { id }),
  }
}
