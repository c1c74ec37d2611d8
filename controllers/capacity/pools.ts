import type { CapacityPool, CapacityPoolManager, CapacityPoolSpec } from '../../api/generated/capacity-pool.ts'
import { recordOf } from '../../api/rules/capacity/pool-entry.ts'
import { goesAt, newRecord, type PoolRecord } from '../../api/rules/capacity/pool-view.ts'
import type { GroupFacts } from '../../api/rules/group-facts.ts'
import type { Scope } from '../../api/scope.ts'
import type { CapacityMemory } from './memory.ts'
import { accountDigest, cloudOf, poolName } from './pool-names.ts'
import { factsOfPool, groupsOfPool, openedAt } from './pool-facts.ts'
import { sightingsOf, type Looked, type PoolSighting } from './pool-sightings.ts'
import { TrackedPool } from './pool-tracking.ts'

/** Bounds the memory and the objects. Names of types come from specs, which tenants write. */
const mostPools = 5_000

/** Who tells the memory. No Cluster has this key. */
const teller = 'CapacityPool'

export interface PoolsOptions {
  /** The name of this manager's entries. */
  readonly manager: string
  readonly memory: Pick<CapacityMemory, 'record'>
  /** Called with the name of each object that may have to be written. */
  readonly wake: (name: string) => void
}

/** What this manager knows of one object. */
export interface KnownPool {
  readonly spec: CapacityPoolSpec
  /** By account. */
  readonly records: ReadonlyMap<string, PoolRecord>
}

interface Tokens {
  readonly name: string
  readonly account: string
  readonly token: string
}

/**
 * The offerings that the fleet has used, for people and for the next process. It only computes: a pass of the
 * remediation tells it what became of its Machines, and the writer asks what its objects should say.
 */
export class CapacityPools {
  readonly #options: PoolsOptions
  /** By name of the object, then by account. */
  readonly #pools = new Map<string, Map<string, TrackedPool>>()
  /** By Cluster, what its last look told. */
  readonly #told = new Map<string, readonly Tokens[]>()
  /** Looks before the objects were read. Without them, interruptions would count twice. */
  #waiting: Map<string, readonly PoolSighting[]> | undefined = new Map()
  /** By account, the scope that this process calls so, once a Machine shows it. */
  readonly #scopes = new Map<string, Scope>()
  /** By account and name of the object: what objects told, until the scope is known. */
  readonly #heard = new Map<string, Map<string, { spec: CapacityPoolSpec; entry: CapacityPoolManager }>>()

  constructor(options: PoolsOptions) {
    this.#options = options
  }

  /** After a pass over a Cluster, with all its Machines. Facts may be told twice. */
  look(cluster: string, machines: readonly Looked[], now: number): void {
    const sightings = machines.flatMap(sightingsOf)
    if (this.#waiting) this.#waiting.set(cluster, sightings)
    else this.#take(cluster, sightings, now)
  }

  /** The objects as they are at the start. */
  restore(objects: readonly CapacityPool[], now: number): void {
    for (const object of objects) this.#restoreOne(object, now)
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const [cluster, sightings] of waiting ?? []) this.#take(cluster, sightings, now)
  }

  /** What other managers, or a process before this one, say of an offering. */
  hear({ metadata, spec, status }: CapacityPool, now: number): void {
    for (const entry of status?.managers ?? []) {
      const heard = this.#heard.get(entry.account) ?? new Map<string, { spec: CapacityPoolSpec; entry: typeof entry }>()
      this.#heard.set(entry.account, heard.set(`${metadata.name} ${entry.manager}`, { spec, entry }))
      const scope = this.#scopes.get(entry.account)
      if (scope && entry.manager !== this.#options.manager) this.#record(factsOfPool(scope, { spec, entry }, now), now)
    }
  }

  /** Undefined: no machine of this manager has used it. */
  of(name: string, now: number): KnownPool | undefined {
    const accounts = this.#pools.get(name)
    const [first] = accounts?.values() ?? []
    if (!accounts || !first) return undefined
    const records = new Map([...accounts].map(([account, pool]) => [account, pool.recordAt(now)]))
    const unused = [...records].filter(([, record]) => goesAt(record) <= now)
    // The last of them go with the object.
    if (unused.length === records.size) return { spec: first.spec, records }
    for (const [account] of unused) {
      accounts.delete(account)
      records.delete(account)
    }
    return { spec: first.spec, records }
  }

  /** A person has deleted the object. For the memory it is as if a machine had come up there now. */
  forget(name: string, now: number): void {
    for (const heard of this.#heard.values()) {
      for (const key of heard.keys()) if (key.startsWith(`${name} `)) heard.delete(key)
    }
    const accounts = this.#pools.get(name)
    if (!accounts) return
    for (const [account, pool] of accounts) {
      const scope = this.#scopes.get(account)
      const own = scope ? groupsOfPool(scope, pool.spec) : []
      this.#record(new Map([...own, ...pool.groups].map((group) => [group, openedAt(now)])), now)
      pool.forget(now)
    }
    this.#options.wake(name)
  }

  /** Nobody uses it any more. */
  drop(name: string): void {
    this.#pools.delete(name)
  }

  #restoreOne(object: CapacityPool, now: number): void {
    const cloud = cloudOf(object.spec)
    // What stands under another name is not ours.
    if (!cloud || poolName(object.spec) !== object.metadata.name) return
    for (const entry of object.status?.managers ?? []) {
      if (entry.manager !== this.#options.manager) continue
      const record = recordOf(entry, cloud, now)
      this.#accountsOf(object.metadata.name)?.set(entry.account, new TrackedPool(object.spec, record))
    }
    this.hear(object, now)
  }

  #take(cluster: string, sightings: readonly PoolSighting[], now: number): void {
    const told: Tokens[] = []
    const touched = new Set<string>()
    for (const sighting of sightings) {
      const [name, account] = [poolName(sighting.spec), this.#accountOf(sighting.scope, now)]
      const pool = this.#tracked(name, account, sighting, now)
      if (!pool) continue
      pool.see(sighting, now)
      if (sighting.token !== undefined) told.push({ name, account, token: sighting.token })
      touched.add(name)
    }
    const tokens = new Set(told.map(idOf))
    for (const before of this.#told.get(cluster) ?? []) {
      if (tokens.has(idOf(before))) continue
      this.#pools.get(before.name)?.get(before.account)?.end(before.token, now)
    }
    if (told.length > 0) this.#told.set(cluster, told)
    else this.#told.delete(cluster)
    for (const name of touched) this.#options.wake(name)
  }

  #tracked(name: string, account: string, { spec, scope }: PoolSighting, now: number): TrackedPool | undefined {
    const accounts = this.#accountsOf(name)
    const known = accounts?.get(account)
    if (!accounts || known) return known
    const pool = new TrackedPool(spec, newRecord(scope.cloud, now))
    accounts.set(account, pool)
    return pool
  }

  /** Undefined: there are too many. */
  #accountsOf(name: string): Map<string, TrackedPool> | undefined {
    const known = this.#pools.get(name)
    if (known ?? this.#pools.size >= mostPools) return known
    const accounts = new Map<string, TrackedPool>()
    this.#pools.set(name, accounts)
    return accounts
  }

  #accountOf(scope: Scope, now: number): string {
    const account = accountDigest(scope)
    if (this.#scopes.has(account)) return account
    this.#scopes.set(account, scope)
    for (const heard of this.#heard.get(account)?.values() ?? []) this.#record(factsOfPool(scope, heard, now), now)
    return account
  }

  #record(facts: ReadonlyMap<string, GroupFacts>, now: number): void {
    if (facts.size > 0) this.#options.memory.record(facts, { cluster: teller, now })
  }
}

function idOf({ name, account, token }: Tokens): string {
  return `${name} ${account} ${token}`
}
