import { expect } from 'vitest'
import type { Instance } from '../../../api/instance.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { Fleets } from '../../../providers/fleet/fleets.ts'
import type { InstanceRef, Launch } from '../../../providers/instances.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { FakeCloud, fakeScope } from '../fakes/fake-cloud.ts'
import { keptLog, quietCtx } from '../fakes/quiet-ctx.ts'

export const nobodys = tagOf({ owner: 'o', machine: 'default/x', token: 't' })
export const refOf = ({ id, tag = nobodys }: Instance): InstanceRef & { id: string } => ({ scope: fakeScope, tag, id })

/** A cloud, and the fleets of one process that lists it. Dispose of it, or it goes on listing. */
export class FleetWorld implements AsyncDisposable {
  readonly clock = new FakeClock()
  readonly cloud = new FakeCloud()
  /** The tags of machines that were woken. */
  readonly changed: string[] = []
  /** The scopes whose fleets have begun, and ended because nobody used them. */
  readonly begun: Scope[] = []
  readonly ended: Scope[] = []
  #stop = new AbortController()
  #fleets = this.#begin()

  use(user: string, scope: Scope = fakeScope): Fleet {
    return this.#fleets.of(scope, this.cloud, user)
  }

  leave(user: string): void {
    this.#fleets.leave(user)
  }

  get ctx() {
    return quietCtx({ clock: this.clock, signal: this.#stop.signal, log: keptLog() })
  }

  async make(machine: string, token = `token-${machine}`): Promise<Instance> {
    const whose = { owner: 'o', machine, token, clusterName: 'c' }
    const want = { ...whose, scope: fakeScope, request: {}, userData: new Uint8Array() } satisfies Launch
    const { id } = await this.cloud.create(want, this.ctx)
    this.cloud.set(id, 'running')
    return this.cloud.instances.get(id) as Instance
  }

  /** How many lists are begun meanwhile. */
  async listsIn(ms: number): Promise<number> {
    const before = this.cloud.count('list')
    await this.clock.advance(ms)
    return this.cloud.count('list') - before
  }

  /** SIGKILL and start: no list survives it. */
  async restart(): Promise<void> {
    await this.stop()
    this.#stop = new AbortController()
    this.#fleets = this.#begin()
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('killed'))
    await this.#fleets.ended()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    expect(this.clock.pending, 'timers after a clean stop').toBe(0)
  }

  #begin(): Fleets {
    return new Fleets(
      {
        pollIntervalMs: 15_000,
        onChange: (_, machine) => void this.changed.push(machine),
        onBegin: (scope) => void this.begun.push(scope),
        onEnd: (scope) => void this.ended.push(scope),
      },
      this.ctx,
    )
  }
}
