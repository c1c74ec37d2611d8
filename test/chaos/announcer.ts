import type { DrainTime } from '../../api/interruption.ts'
import { interruptionPolicies, machines, nodes } from '../../api/kinds.ts'
import { requests } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { NoticeTerms } from '../../api/rules/interruption/notice-acts.ts'
import { isNotFound } from '../../controllers/runtime/client/api-error.ts'
import { eventually } from '../lab/eventually.ts'
import { HeldPods } from './held-pods.ts'
import type { Members, Place, Serving } from './members.ts'

/** As EC2 gives it. */
const ec2NoticeMs = 120_000
/** As all others give it. */
const noticeMs = 30_000
/** The last call of a held Pod is five seconds later. */
const rehearsal = '40s'

/** What the policies say about notices. */
type Terms = Pick<NoticeTerms, 'onNotice' | 'drain'>

/** Announces the ends of instances, as their clouds and users do, and remembers which. */
export class Announcer {
  readonly #place: Place
  readonly #members: Members
  readonly #pods: HeldPods
  /** The names by uid. */
  readonly #announced = new Map<string, string>()
  readonly #holding = new Set<string>()
  #notices = 0
  #terms: Terms = { onNotice: 'DeleteMachine', drain: 'AtOnce' }

  constructor(place: Place, members: Members) {
    this.#place = place
    this.#members = members
    this.#pods = new HeldPods(place, members)
  }

  /** The names of all Machines whose instances it has announced to end, or has taken back, by uid. */
  get announced(): ReadonlyMap<string, string> {
    return this.#announced
  }

  /** The number of those that were announced. */
  get notices(): number {
    return this.#notices
  }

  /** The names of the Pods that a PodDisruptionBudget holds. */
  get held(): readonly string[] {
    return this.#pods.names
  }

  /** What the policies say at present. */
  get terms(): Terms {
    return this.#terms
  }

  /** Whether a held Pod is on its Node. Only its notice may end it. */
  isHolding(uid: string | undefined): boolean {
    return this.#holding.has(uid ?? '')
  }

  /** The end of an instance is announced. */
  async notice(drain: DrainTime, random: () => number): Promise<void> {
    await this.#ask({ onNotice: 'DeleteMachine', drain })
    const one = await this.#next(random)
    if (one) await this.#announce(one, random)
  }

  /**
   * The cloud takes an instance back at once. EC2 shows a notice even then, but no policy has the manager act on it.
   * Otherwise it would replace most of these Machines before a list shows their end.
   */
  async interrupt(random: () => number): Promise<void> {
    await this.#ask({ ...this.#terms, onNotice: 'ConditionOnly' })
    const one = await this.#next(random)
    if (!one) return
    this.#announced.set(one.machine.metadata.uid ?? '', one.machine.metadata.name)
    this.#place.cloud.control.interrupt(one.instance, 0)
  }

  /** A user rehearses the end of an instance, while a PodDisruptionBudget holds a Pod on its Node. */
  async hold(random: () => number): Promise<void> {
    await this.#ask({ onNotice: 'DeleteMachine', drain: 'AtOnce' })
    const one = await this.#next(random)
    if (!one) return
    this.#holding.add(one.machine.metadata.uid ?? '')
    await this.#pods.placeOn(one.node)
    await this.#rehearse(one, rehearsal)
  }

  /** Nothing of its notices is left to do, unless something is wrong. */
  async settled(timeoutMs: number): Promise<void> {
    const left = async () => (await this.#members.machines()).filter(({ metadata }) => this.#isAnnounced(metadata.uid))
    const check = async () => {
      if ((await left()).length > 0) throw new Error('A Machine is there that was announced.')
    }
    await eventually('every announced Machine is gone', check, { timeoutMs, everyMs: 500 }).catch(() => undefined)
  }

  /** The held Pods that nothing has deleted. */
  uncalled(): Promise<readonly string[]> {
    return this.#pods.uncalled()
  }

  #isAnnounced(uid: string | undefined): boolean {
    return this.#announced.has(uid ?? '')
  }

  async #next(random: () => number): Promise<Serving | undefined> {
    const all = (await this.#members.serving()).filter(({ machine }) => !this.#isAnnounced(machine.metadata.uid))
    return all[Math.floor(random() * all.length)]
  }

  async #announce(one: Serving, random: () => number): Promise<void> {
    const { control, queue } = this.#place.cloud
    if (queue) {
      this.#note(one)
      // By its spot request and by the queue.
      control.interrupt(one.instance, ec2NoticeMs)
    } else if (random() < 0.5) {
      await this.#rehearse(one, '2m')
    } else {
      this.#note(one)
      // Where the metadata of an instance tell of its end, an agent has read them there.
      if (control.takenBackAt) control.interrupt(one.instance, noticeMs)
      await this.#announceOnNode(one)
    }
  }

  #note({ machine: { metadata } }: Serving): void {
    this.#notices += 1
    this.#announced.set(metadata.uid ?? '', metadata.name)
  }

  async #rehearse(one: Serving, notice: string): Promise<void> {
    this.#note(one)
    const { lab, namespace } = this.#place
    const ref = { namespace, name: one.machine.metadata.name }
    const patch = { metadata: { annotations: { [requests.rehearse]: notice } } }
    await lab.client.mergePatch(machines, ref, { patch }, lab.ctx).catch(unlessGone)
  }

  /** As an agent on the Node does. */
  async #announceOnNode({ node }: Serving): Promise<void> {
    const { lab } = this.#place
    const now = lab.ctx.clock.now()
    const times = { lastTransitionTime: seconds(now), lastHeartbeatTime: seconds(now) }
    const message = `The instance ends at ${seconds(now + noticeMs)}`
    const condition = { type: 'SpotInterruption', status: 'True', reason: 'Announced', message, ...times }
    const object = { metadata: { name: node }, status: { conditions: [condition] } }
    const options = { fieldManager: 'agent', subresource: 'status', force: true }
    await lab.client.apply<KubeObject & typeof object>(nodes, object, options, lab.ctx).catch(unlessGone)
  }

  /** A user changes the policies. */
  async #ask(terms: Terms): Promise<void> {
    if (terms.drain === this.#terms.drain && terms.onNotice === this.#terms.onNotice) return
    this.#terms = terms
    const { lab, namespace } = this.#place
    const patch = { spec: terms }
    for (const { metadata } of await this.#members.list<KubeObject>(interruptionPolicies)) {
      await lab.client.mergePatch(interruptionPolicies, { namespace, name: metadata.name }, { patch }, lab.ctx)
    }
  }
}

/** It may have gone meanwhile: that is no mistake of anybody. */
function unlessGone(thrown: unknown): void {
  if (!isNotFound(thrown)) throw thrown
}

function seconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
