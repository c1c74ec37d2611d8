import { readInterruption } from '../../api/interruption.ts'
import { machines } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import type { NoticeSource } from '../../api/notice.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import type { Passed, Station } from './course-words.ts'
import type { Loss } from './loss.ts'
import type { Stage } from './stage.ts'

type CoreMachine = Machine & { status?: { phase?: string } }

/** The cloud is asked this often whether the instance is there. */
const lookMs = 50

/** What happens after one notice, as a watch of the API server and a look at the cloud show it. */
export class Course {
  readonly loss: Loss
  readonly #passed = new Map<Station, number>()
  #began: number | undefined
  #source: NoticeSource | undefined

  constructor(loss: Loss) {
    this.loss = loss
  }

  /** Where the manager has read the notice, as its decision says. */
  get source(): NoticeSource | undefined {
    return this.#source
  }

  get passed(): Passed {
    return this.#passed
  }

  /** The notice is given now. */
  begin(): void {
    this.#began = performance.now()
  }

  machineChanged(machine: CoreMachine): void {
    const { metadata, spec, status } = machine
    if (metadata.name === this.loss.machine) {
      const reading = readInterruption(machine)
      if (reading.is === 'ours') this.#source ??= reading.interruption.source
      if (metadata.deletionTimestamp !== undefined) this.#pass('deleted')
    } else if (spec.clusterName === this.loss.site.cluster && !this.loss.others.includes(metadata.name)) {
      this.#pass('made')
      if (status?.phase === 'Running') this.#pass('runs')
    }
  }

  /** Core deletes the infra machine after the drain, or when its instance has ended. It has the Machine's name. */
  infraChanged({ metadata }: KubeObject): void {
    const isOurs = metadata.name === this.loss.machine
    if (isOurs && metadata.deletionTimestamp !== undefined && !this.#passed.has('ended')) this.#pass('drained')
  }

  look(): void {
    const { site, id: ours } = this.loss
    // The providerID of GCP has the name.
    if (!site.cloud.alive().some(({ id, name }) => id === ours || name === ours)) this.#pass('ended')
  }

  #pass(station: Station): void {
    if (this.#began === undefined || this.#passed.has(station)) return
    this.#passed.set(station, performance.now() - this.#began)
  }
}

export interface Courses extends AsyncDisposable {
  /** One for each loss. */
  readonly all: readonly Course[]
}

/** Watches what happens after these notices until it is disposed of. */
export async function followCourses({ lab, namespace }: Stage, losses: readonly Loss[]): Promise<Courses> {
  const ending = new AbortController()
  const ctx = { ...lab.ctx, signal: AbortSignal.any([lab.ctx.signal, ending.signal]) }
  const all = losses.map((loss) => new Course(loss))
  const watch = async (resource: Resource, changed: (object: KubeObject) => void) => {
    const cache = createCache<KubeObject>({ client: lab.client, resource, namespace, project: (raw) => raw })
    cache.onChange(({ after }) => after && changed(after))
    const done = cache.run(ctx)
    await cache.synced(ctx)
    return { done }
  }
  const watches = await Promise.all([
    watch(machines, (machine) => all.forEach((course) => course.machineChanged(machine as CoreMachine))),
    ...all.map((course) => watch(course.loss.site.machines, (infra) => course.infraChanged(infra))),
  ])
  const timer = setInterval(() => all.forEach((course) => course.look()), lookMs)
  return {
    all,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      ending.abort(new Error('The story goes on.'))
      await Promise.all(watches.map(({ done }) => done))
    },
  }
}
