import { newId, wordName, type Resource } from '../ids.ts'
import { Store } from './store.ts'
import type { Image, World, Zone } from '../world.ts'

/** What a volume is to be. */
export interface VolumePlan {
  /** Undefined: IBM makes one up. */
  readonly name: string | undefined
  readonly attachmentName: string | undefined
  readonly profile: string
  readonly capacityGB: number
  readonly iops: number
  readonly bandwidth: number
  readonly tags: readonly string[]
  readonly encryptionKey: string | undefined
  readonly image: Image | undefined
  readonly zone: Zone
  readonly resourceGroup: Resource
  readonly deletedWithInstance: boolean
}

export interface Volume extends Omit<VolumePlan, 'name' | 'attachmentName'>, Resource {
  readonly name: string
  readonly zone: Zone
  readonly number: number
  readonly createdAt: number
  readonly isBoot: boolean
  /** Undefined: it is attached to nothing. */
  attachment: VolumeAttachment | undefined
}

export interface VolumeAttachment extends Resource {
  readonly instance: Resource
  readonly volume: Volume
}

interface Attaching {
  readonly instance: Resource
  readonly isBoot: boolean
  readonly now: number
}

/** All volumes of the account. One that does not end with its instance stays until somebody deletes it. */
export class Volumes extends Store<Volume> {
  readonly #prefix: string
  #made = 0

  constructor({ prefix }: World) {
    super()
    this.#prefix = prefix
  }

  make({ name, attachmentName, ...plan }: VolumePlan, { instance, isBoot, now }: Attaching): VolumeAttachment {
    this.#made += 1
    const volume = this.add({
      ...plan,
      id: newId(this.#prefix),
      name: name ?? wordName(),
      number: this.#made,
      createdAt: now,
      isBoot,
      attachment: undefined,
    })
    volume.attachment = { id: newId(plan.zone.prefix), name: attachmentName ?? wordName(), instance, volume }
    return volume.attachment
  }

  /** The instance is gone. */
  detach({ volume }: VolumeAttachment): void {
    volume.attachment = undefined
    if (volume.deletedWithInstance) this.remove(volume)
  }
}
