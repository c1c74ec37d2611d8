import assert from 'node:assert/strict'
import { readAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { Ownership } from '../../api/ownership.ts'
import { newId } from '../../providers/shared/ownership.ts'
import { changesTo, lastCall } from '../integration/seen/changes.ts'
import type { LabCloud, LabInstance } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Herd } from './herd.ts'

/** The result of a run. Everything has its name, so that it can be found. */
export interface Count {
  /** The number of instances. */
  readonly bought: number
  /** Machines with two instances. */
  readonly duplicates: readonly string[]
  /**
   * Instances without a machine, and machines without an instance, a minute after everything had settled; and all that
   * was left after the last cluster: instances, network interfaces, disks, addresses.
   */
  readonly leaks: readonly string[]
  /** Changes to the resources of others, and each call that tried to change them. */
  readonly touched: readonly string[]
}

type Called = Pick<LabInstance, 'id' | 'name'>

/** The resources of others in the account. */
interface Strangers {
  /** By kind and name. A copy can have the name of its original, so each is listed as often as it exists. */
  readonly remains: readonly string[]
  readonly names: readonly string[]
  readonly ids: ReadonlySet<string>
  /** All identifiers that a call can use for it. */
  readonly called: readonly Called[]
  /** The number of the last call before the check. */
  readonly since: number
}

type Counted = Pick<Herd, 'settled' | 'instances' | 'disband'>

/** Counts from the cloud itself, independent of our manager. */
export class Census {
  readonly #cloud: LabCloud
  readonly #strangers: Strangers
  /** Launched by the manager of another management cluster, whose etcd is a copy of this one's. */
  readonly #twins: (Called & { readonly since: number })[] = []

  private constructor(cloud: LabCloud, strangers: Strangers) {
    this.#cloud = cloud
    this.#strangers = strangers
  }

  /**
   * Creates strangers beside settled machines. Each machine has a double: the instance of another management cluster
   * with the same name and token. The first also has a copy of its instance with the same tags, one created by hand
   * with the same name, and leftovers of the other management cluster.
   */
  static async begin(cloud: LabCloud, machines: readonly InfraMachine[]): Promise<Census> {
    const { strangers } = cloud
    const before = { remains: [...cloud.remains()], names: [...cloud.bought()] }
    const owner = newId('owner')
    const ids = new Set<string>()
    for (const machine of machines) ids.add(await strangers.instance({ ...ownershipOf(machine), owner }))
    for (const machine of machines.slice(0, 1)) {
      ids.add(await strangers.copy(ownershipOf(machine)))
      ids.add(await strangers.byHand(`${machine.metadata.name}-by-hand`))
      await strangers.leftovers({ ...ownershipOf(machine), owner, token: newId('token') })
    }
    const added = () => without(cloud.remains(), before.remains)
    const instances = () => added().filter((name) => name.startsWith('instances: '))
    await eventually('what they ended is gone', () => assert.equal(instances().length, ids.size))
    const parts = added().filter((name) => /^(interfaces|disks): /.test(name))
    return new Census(cloud, {
      remains: added(),
      names: without(cloud.bought(), before.names),
      ids,
      // A call with the copy's name may mean the original.
      called: [
        ...cloud
          .alive()
          .flatMap(({ id, name }) => (ids.has(id) ? [{ id, name: before.names.includes(name) ? id : name }] : [])),
        ...parts.map((name) => name.slice(name.indexOf(': ') + 2)).map((name) => ({ id: name, name })),
      ],
      since: lastCall(cloud),
    })
  }

  get doubles(): readonly Called[] {
    return this.#strangers.called
  }

  /**
   * The manager of another management cluster, made from a copy of this etcd, launches a machine that exists only
   * there. It has the owner id of this machine's Cluster, and a token that is in no attempt here.
   */
  async launchElsewhere(machine: InfraMachine): Promise<void> {
    const whose = ownershipOf(machine)
    const name = `${machine.metadata.namespace}/elsewhere-${this.#twins.length + 1}`
    const id = await this.#cloud.strangers.instance({ ...whose, machine: name, token: newId('token') })
    const twin = this.#cloud.alive().find((one) => one.id === id)
    this.#twins.push({ id, name: twin?.name ?? id, since: lastCall(this.#cloud) })
  }

  /**
   * Everything settles; then the resources are compared with the machines. Then everything is ended and counted again.
   */
  async take(herd: Counted, machines: number, leakAfterMs = 60_000): Promise<Count> {
    await herd.settled(machines)
    const withoutMachine = await whatStays(() => this.#amiss(herd), leakAfterMs)
    const ended = this.#twinsTouched()
    // Their own manager ends them. Until then the Cluster waits for them, as it should.
    for (const { id } of this.#twins) this.#cloud.control.terminate(id)
    const undeleted = await herd.disband()
    const withoutCluster = await whatStays(async () => this.#left(), leakAfterMs)
    const others = [...this.#strangers.names, ...this.#twins.map(({ name }) => name)]
    const bought = without(this.#cloud.bought(), others)
    return {
      bought: bought.length,
      duplicates: duplicatesIn(bought),
      leaks: [...withoutMachine, ...withoutCluster, ...undeleted.map((name) => `Cluster ${name}`)],
      touched: [...ended, ...this.#touched()],
    }
  }

  /** Our instances without a machine, and the missing instances of machines. */
  async #amiss(herd: Counted): Promise<readonly string[]> {
    const had = await herd.instances()
    const others = new Set([...this.#strangers.ids, ...this.#twins.map(({ id }) => id)])
    const alive = this.#cloud.alive().filter(({ id }) => !others.has(id))
    const ids = new Set(alive.map(({ id }) => id))
    const missing = [...had].filter((id) => !ids.has(id)).map((id) => `${id}, which a machine has and is not there`)
    return [...alive.filter(({ id }) => !had.has(id)).map(({ name }) => name), ...missing]
  }

  /** Of whatever kind. */
  #left(): readonly string[] {
    return without(this.#cloud.remains(), this.#strangers.remains)
  }

  #touched(): readonly string[] {
    const { remains, called, since } = this.#strangers
    return [...without(remains, this.#cloud.remains()), ...changesTo(called, this.#cloud, since)]
  }

  #twinsTouched(): readonly string[] {
    const there = new Set(this.#cloud.alive().map(({ id }) => id))
    const gone = this.#twins.filter(({ id }) => !there.has(id)).map(({ name }) => `instances: ${name}`)
    return [...gone, ...this.#twins.flatMap((twin) => changesTo([twin], this.#cloud, twin.since))]
  }
}

/** All except one for each of these. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const name of some) left.set(name, (left.get(name) ?? 0) + 1)
  return all.filter((name) => {
    const count = left.get(name) ?? 0
    left.set(name, count - 1)
    return count <= 0
  })
}

/** The differences that last this long. */
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

/** The machines with more than one of these instances, by the names of those. */
export function duplicatesIn(bought: readonly string[]): string[] {
  return twice(bought.map(machineIn))
}

/** `<machine>-<owner id>-…-<token>` without the token, which names the machine. */
function machineIn(name: string): string {
  return name.slice(0, name.lastIndexOf('-'))
}

function twice(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}
