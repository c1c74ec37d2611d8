import assert from 'node:assert/strict'
import { readAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { Ownership } from '../../providers/instances.ts'
import { newId } from '../../providers/ownership.ts'
import { changesTo, lastCall } from '../integration/changes.ts'
import type { LabCloud, LabInstance } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Herd } from './herd.ts'

/** What a run came to. Everything is named, so that it can be looked for. */
export interface Count {
  /** How many instances there were in all. */
  readonly bought: number
  /** Machines that had two instances. */
  readonly duplicates: readonly string[]
  /**
   * What was there without a machine, or not there for a machine, a minute after all had settled; and all that was left
   * when the last cluster had gone: instances, network interfaces, disks, addresses.
   */
  readonly leaks: readonly string[]
  /** What of others is not as it was, and each call that was to change something of theirs. */
  readonly touched: readonly string[]
}

/** What others have in the account. */
interface Strangers {
  /** By kind and name. */
  readonly remains: ReadonlySet<string>
  readonly names: ReadonlySet<string>
  /** All that a call can call it by. */
  readonly called: readonly Pick<LabInstance, 'id' | 'name'>[]
  /** What a second management cluster with the same etcd has made, under our owner id. */
  readonly elsewhere: { readonly ids: ReadonlySet<string>; readonly remains: ReadonlySet<string> }
  /** The last call before they were left alone. */
  readonly since: number
}

type Counted = Pick<Herd, 'settled' | 'instances' | 'disband'>

/** Counts, independent of our manager: from what the cloud itself knows. */
export class Census {
  readonly #cloud: LabCloud
  readonly #strangers: Strangers
  /** What of theirs they have ended themselves. */
  readonly #gone = new Set<string>()

  private constructor(cloud: LabCloud, strangers: Strangers) {
    this.#cloud = cloud
    this.#strangers = strangers
  }

  /**
   * Puts strangers beside machines that have all settled. Each of them has a double: the instance of another management
   * cluster, with the same name and token. Beside the first there is one more that somebody made by hand and called
   * alike, what outlived an instance of that other management cluster, and what a second management cluster that was
   * restored from the same etcd has made since, under our owner id.
   */
  static async begin(cloud: LabCloud, machines: readonly InfraMachine[]): Promise<Census> {
    const { strangers } = cloud
    const before = { remains: new Set(cloud.remains()), names: new Set(cloud.bought()) }
    const owner = newId('owner')
    const ids = new Set<string>()
    for (const machine of machines) ids.add(await strangers.instance({ ...ownershipOf(machine), owner }))
    for (const machine of machines.slice(0, 1)) {
      ids.add(await strangers.byHand(`${machine.metadata.name}-by-hand`))
      await strangers.leftovers({ ...ownershipOf(machine), owner, token: newId('token') })
    }
    const beside = new Set(cloud.remains())
    const elsewhere = new Set<string>()
    for (const machine of machines.slice(0, 1)) {
      const whose = ownershipOf(machine)
      elsewhere.add(
        await strangers.instance({ ...whose, machine: `${whose.machine}-elsewhere`, token: newId('token') }),
      )
    }
    for (const id of elsewhere) ids.add(id)
    const added = () => cloud.remains().filter((name) => !before.remains.has(name))
    const instances = () => added().filter((name) => name.startsWith('instances: '))
    await eventually('what they ended is gone', () => assert.equal(instances().length, ids.size))
    const parts = added().filter((name) => /^(interfaces|disks): /.test(name))
    return new Census(cloud, {
      remains: new Set(cloud.remains().filter((name) => !before.remains.has(name))),
      names: new Set(cloud.bought().filter((name) => !before.names.has(name))),
      called: [
        ...cloud.alive().filter(({ id }) => ids.has(id)),
        ...parts.map((name) => name.slice(name.indexOf(': ') + 2)).map((name) => ({ id: name, name })),
      ],
      elsewhere: { ids: elsewhere, remains: new Set(cloud.remains().filter((name) => !beside.has(name))) },
      since: lastCall(cloud),
    })
  }

  /**
   * All settles; then what is there is held against what should be; then everything is ended, and counted once more.
   */
  async take(herd: Counted, machines: number, leakAfterMs = 60_000): Promise<Count> {
    await herd.settled(machines)
    const withoutMachine = await whatStays(() => this.#amiss(herd), leakAfterMs)
    const touched = this.#touched()
    await this.#endElsewhere()
    const undeleted = await herd.disband()
    const withoutCluster = await whatStays(async () => this.#left(), leakAfterMs)
    const bought = this.#cloud.bought().filter((name) => !this.#strangers.names.has(name))
    return {
      bought: bought.length,
      duplicates: duplicatesIn(bought),
      leaks: [...withoutMachine, ...withoutCluster, ...undeleted.map((name) => `Cluster ${name}`)],
      touched: [...new Set([...touched, ...this.#touched()])],
    }
  }

  /** Instances of ours that no machine has, and those that a machine has and that are not there. */
  async #amiss(herd: Counted): Promise<readonly string[]> {
    const had = await herd.instances()
    const alive = this.#cloud.alive().filter(({ name }) => !this.#strangers.names.has(name))
    const ids = new Set(alive.map(({ id }) => id))
    const missing = [...had].filter((id) => !ids.has(id)).map((id) => `${id}, which a machine has and is not there`)
    return [...alive.filter(({ id }) => !had.has(id)).map(({ name }) => name), ...missing]
  }

  /** The second management cluster is torn down: a cluster waits for whatever has its owner id. */
  async #endElsewhere(): Promise<void> {
    const { ids, remains } = this.#strangers.elsewhere
    for (const id of ids) this.#cloud.control.terminate(id)
    const left = () => this.#cloud.remains().filter((name) => remains.has(name))
    await eventually('what the second management cluster had is gone', () => assert.deepEqual(left(), []))
    for (const name of remains) this.#gone.add(name)
  }

  /** Of whatever kind. */
  #left(): readonly string[] {
    return this.#cloud.remains().filter((name) => !this.#strangers.remains.has(name))
  }

  #touched(): readonly string[] {
    const { remains, called, since } = this.#strangers
    const there = new Set(this.#cloud.remains())
    return [
      ...[...remains].filter((name) => !there.has(name) && !this.#gone.has(name)),
      ...changesTo(called, this.#cloud, since),
    ]
  }
}

/** What is amiss for so long. */
async function whatStays(amiss: () => Promise<readonly string[]>, timeoutMs: number): Promise<readonly string[]> {
  const check = async () => assert.deepEqual(await amiss(), [])
  await eventually('nothing is amiss', check, { timeoutMs, everyMs: 500 }).catch(() => undefined)
  return amiss()
}

function ownershipOf(machine: InfraMachine): Ownership {
  const reading = readAttempt(machine)
  if (reading.is !== 'ours') throw new Error(`${machine.metadata.name} runs and has no attempt.`)
  const { owner, for: name, token } = reading.attempt
  return { owner, machine: name, token }
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
