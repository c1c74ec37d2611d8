import { expect, onTestFinished } from 'vitest'
import type { Instance } from '../../../api/instance.ts'
import type { Notice } from '../../../api/notice.ts'
import type { CloudName, Scope } from '../../../api/scope.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import type { SourceState } from '../../../api/rules/interruption/notice-sources.ts'
import { Fleets } from '../../../providers/fleet/fleets.ts'
import type { InstanceRef, Launch } from '../../../providers/instances.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { FakeCloud, fakeScope } from '../fakes/fake-cloud.ts'
import type { ShownList } from '../../../providers/notices.ts'
import type { FakeNotices } from '../fakes/fake-notices.ts'
import { keptLog, quietCtx } from '../fakes/quiet-ctx.ts'

export const nobodys = tagOf({ owner: 'o', machine: 'default/x', token: 't' })
export const refOf = ({ id, tag = nobodys }: Instance): InstanceRef & { id: string } => ({ scope: fakeScope, tag, id })

/** A cloud, and the fleets of one process that lists it. Dispose of it, or it goes on listing. */
export class FleetWorld implements AsyncDisposable {
  readonly clock = new FakeClock()
  readonly cloud = new FakeCloud()
  /** The sources of the cloud. */
  readonly notices: readonly FakeNotices[]
  /** The notices that were handed over, with their clouds and scopes. */
  readonly noticed: { readonly cloud: CloudName; readonly scope: Scope; readonly notice: Notice }[] = []
  /** What came through to its end. */
  readonly noticeLists: ShownList[] = []
  /** The tags of machines that were woken. */
  readonly changed: string[] = []
  /** The cloud and region of each list. */
  readonly listed: string[] = []
  /** The scopes whose fleets have begun, and ended because nobody used them. */
  readonly begun: Scope[] = []
  readonly ended: Scope[] = []
  readonly log = keptLog()
  #stop = new AbortController()
  #fleets: Fleets

  constructor({ notices = [] }: { notices?: readonly FakeNotices[] } = {}) {
    this.notices = notices
    this.#fleets = this.#begin()
  }

  use(user: string, scope: Scope = fakeScope): Fleet {
    return this.#fleets.of(scope, { instances: this.cloud, notices: this.notices }, user)
  }

  leave(user: string): void {
    this.#fleets.leave(user)
  }

  noticeStates(): SourceState[] {
    return this.#fleets.notices(fakeScope)
  }

  find(cloud: CloudName, id: string): Instance | undefined {
    return this.#fleets.find(cloud, id)
  }

  now(cloud: CloudName, region: string): void {
    this.#fleets.now(cloud, region)
  }

  get ctx() {
    return quietCtx({ clock: this.clock, signal: this.#stop.signal, log: this.log })
  }

  isForeign(scope: Scope, id: string, since: number): boolean {
    return this.#fleets.isForeign(scope, id, since)
  }

  isListed(scope: Scope): boolean {
    return this.#fleets.isListed(scope)
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
        onNotice: (cloud, scope, notice) => void this.noticed.push({ cloud, scope, notice }),
        onNoticeList: (list) => void this.noticeLists.push(list),
        onListed: (cloud, region) => void this.listed.push(`${cloud} ${region}`),
        onBegin: (scope) => void this.begun.push(scope),
        onEnd: (scope) => void this.ended.push(scope),
      },
      this.ctx,
    )
  }
}

/** A world whose one user has a fleet that has been listed once. It ends with the test. */
export async function listedFleet(): Promise<{ readonly world: FleetWorld; readonly fleet: Fleet }> {
  const world = new FleetWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const fleet = world.use('AWSMachine default/m1')
  await world.clock.advance(0)
  return { world, fleet }
}
