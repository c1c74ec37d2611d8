import { core } from '../../api/labels.ts'
import type { ObjectMeta } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import type { Manifest } from '../lab/objects.ts'
import { endsAfter, pods, type Pod } from '../simulators/kit/kubelets/pod.ts'
import type { Members, Place } from './members.ts'

const graceSeconds = 25
const held = { app: 'held' }

/** Pods that a PodDisruptionBudget holds, so that only a last call ends them. */
export class HeldPods {
  readonly #place: Place
  readonly #members: Members
  readonly #names: string[] = []

  constructor(place: Place, members: Members) {
    this.#place = place
    this.#members = members
  }

  get names(): readonly string[] {
    return this.#names
  }

  /**
   * Two Pods: a held one, and one that drains leave out. No controller has looked at the budget in this lab, and until
   * then the API server refuses every eviction.
   */
  async placeOn(node: string): Promise<void> {
    const { lab, namespace } = this.#place
    const n = this.#names.length + 1
    const name = `held-${n}`
    this.#names.push(name)
    const budget = { minAvailable: '100%', selector: { matchLabels: held } }
    const skipped = { app: 'skipped', [core.drain]: 'skip' }
    await lab.apply([
      { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'held', namespace }, spec: budget },
      podOn(node, { name, namespace, labels: held }),
      podOn(node, { name: `skipped-${n}`, namespace, labels: skipped }),
    ] as Manifest[])
    await eventually(`Pod ${name} runs`, async () => {
      const pod = await lab.client.get<Pod>(pods, { namespace, name }, lab.ctx)
      // An eviction of a Pod that does not run yet asks no budget.
      if (pod.status?.phase !== 'Running') throw new Error('It does not run.')
    })
  }

  /** Those that nothing has deleted. */
  async uncalled(): Promise<readonly string[]> {
    const there = await this.#members.list<Pod>(pods)
    return there
      .filter(({ metadata }) => this.#names.includes(metadata.name) && metadata.deletionTimestamp === undefined)
      .map(({ metadata: { name } }) => name)
  }
}

function podOn(nodeName: string, metadata: ObjectMeta) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, annotations: { [endsAfter]: '1s' } },
    spec: { nodeName, terminationGracePeriodSeconds: graceSeconds, containers: [{ name: 'c', image: 'i' }] },
  }
}
