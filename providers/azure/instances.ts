import type { Ctx } from '../../api/ctx.ts'
import type { TerminateResult, Asking, InstancePage, InstanceRef, Instances, Launch } from '../instances.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import type { Arm } from './wire/client.ts'
import { Creation } from './launch/create.ts'
import { list } from './observe/list.ts'
import { lookAtMachine } from './observe/find.ts'
import { idOf } from './wire/resource-ids.ts'
import { InstanceHistory } from './observe/history.ts'
import { toInstance } from './observe/state.ts'
import { placeOf, Removal } from './end/terminate.ts'

/** Azure behind the seam. What the seam promises is written there; here stands only how Azure is brought to keep it. */
export class AzureInstances implements Instances {
  readonly #arm: Arm
  readonly #sightings = new InstanceHistory()
  readonly #creation: Creation
  readonly #removal: Removal

  constructor(arm: Arm) {
    this.#arm = arm
    this.#creation = new Creation(arm, this.#sightings)
    this.#removal = new Removal(arm, this.#sightings)
  }

  create(want: Launch, ctx: Ctx): Promise<Instance> {
    return this.#creation.run(want, ctx)
  }

  async find({ scope, id, name }: InstanceRef, ctx: Ctx): Promise<Instance | 'absent' | 'unknown'> {
    const place = placeOf(id === undefined && name !== undefined ? { scope, name } : { scope, ...(id ? { id } : {}) })
    const machine = place && (await lookAtMachine(this.#arm, place, ctx))
    if (!machine) return 'absent'
    const before = this.#sightings.of(scope, idOf(place))
    return toInstance({ machine, before, subscription: scope.account ?? '' })
  }

  list(scope: Scope, ctx: Ctx, asking: Asking): AsyncIterable<InstancePage> {
    return list(scope, { arm: this.#arm, sightings: this.#sightings, asking }, ctx)
  }

  terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    return this.#removal.run(which, ctx)
  }
}
