import assert from 'node:assert/strict'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Herd } from './herd.ts'

/** What a run came to. Everything is named, so that it can be looked for. */
export interface Count {
  /** How many instances there were in all. */
  readonly bought: number
  /** Machines that had two instances. */
  readonly duplicates: readonly string[]
  /** What was there without a machine a minute after all had settled, or without a cluster at the end. */
  readonly leaks: readonly string[]
  /** Others' instances that are not as they were. */
  readonly touched: readonly string[]
}

const leakAfterMs = 60_000

/** Counts, independent of our manager: from what the cloud itself knows. */
export class Census implements AsyncDisposable {
  readonly #cloud: LabCloud
  /** All that was there before the run, by kind and name. */
  readonly #strangers: ReadonlySet<string>
  readonly #theirInstances: ReadonlySet<string>

  private constructor(cloud: LabCloud) {
    this.#cloud = cloud
    this.#strangers = new Set(cloud.remains())
    this.#theirInstances = new Set(cloud.bought())
  }

  /** Puts strangers into the account: by hand with our kind of names, and of another management cluster like ours. */
  static async begin(cloud: LabCloud, namespace: string): Promise<Census> {
    const { strangers } = cloud
    const another = (name: string, token: string) => ({
      owner: 'another000',
      machine: `${namespace}/${name}`,
      token,
    })
    await strangers.byHand('herd-spot')
    await strangers.instance(another('herd-spot-1', 'aaaaaaaaaaaa'))
    await strangers.instance(another('herd-spot-2', 'bbbbbbbbbbbb'))
    await strangers.leftovers(another('herd-spot-3', 'cccccccccccc'))
    const instances = () => cloud.remains().filter((name) => name.startsWith('instances: '))
    await eventually('what they ended is gone', () => assert.equal(instances().length, 3))
    return new Census(cloud)
  }

  /**
   * All settles; then what is there is held against what should be; then everything is ended, and counted once more.
   */
  async take(herd: Herd, machines: number): Promise<Count> {
    const running = await herd.settled(machines)
    const withoutMachine = await this.#leftBeside(running.length)
    const undeleted = await herd.disband()
    const withoutCluster = await this.#leftBeside(0)
    const remains = new Set(this.#cloud.remains())
    const bought = this.#bought()
    return {
      bought: bought.length,
      duplicates: duplicatesIn(bought),
      leaks: [...withoutMachine, ...withoutCluster, ...undeleted.map((name) => `Cluster ${name}`)],
      touched: [...this.#strangers].filter((one) => !remains.has(one)),
    }
  }

  /** What of ours stays alive beyond so many instances for a minute. */
  async #leftBeside(machines: number): Promise<readonly string[]> {
    const ours = () => this.#ours()
    const check = () => assert.equal(ours().length, machines)
    await eventually('only what machines have', check, { timeoutMs: leakAfterMs }).catch(() => undefined)
    return ours().length > machines ? ours() : []
  }

  #ours(): readonly string[] {
    return this.#cloud
      .alive()
      .map(({ name }) => name)
      .filter((name) => !this.#theirInstances.has(name))
  }

  #bought(): readonly string[] {
    return this.#cloud.bought().filter((name) => !this.#theirInstances.has(name))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cloud.control.lag(undefined)
    this.#cloud.control.clearFaults()
  }
}

/** Which machines had more than one of these instances, by the names of those. */
export function duplicatesIn(bought: readonly string[]): string[] {
  return twice(bought.map(machineIn))
}

/** `<machine>-<owner id>-…-<token>` without the token: whose instance it is. */
function machineIn(name: string): string {
  return name.slice(0, name.lastIndexOf('-'))
}

function twice(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}
