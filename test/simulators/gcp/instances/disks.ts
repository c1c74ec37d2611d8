import { newId } from '../ids.ts'
import type { DiskPlan, Instance } from './instance.ts'
import type { Zone } from '../world.ts'

/** A persistent disk: a thing of its own, which may outlive the instance that it was made for, and costs. */
export interface Disk {
  readonly id: string
  readonly zone: Zone
  readonly plan: DiskPlan
  readonly createdAt: number
  /** What it is attached to. */
  user: Instance | undefined
}

/** All persistent disks of the project. */
export class Disks {
  readonly #byKey = new Map<string, Disk>()

  get all(): readonly Disk[] {
    return [...this.#byKey.values()]
  }

  find(zone: string, nameOrId: string): Disk | undefined {
    // Ids begin with a number, names never do.
    if (!/^\d/.test(nameOrId)) return this.#byKey.get(`${zone}/${nameOrId}`)
    return this.#byKey.values().find((disk) => disk.id === nameOrId && disk.zone.name === zone)
  }

  add(zone: Zone, plan: DiskPlan, createdAt: number): Disk {
    const disk: Disk = { id: newId(), zone, plan, createdAt, user: undefined }
    this.#byKey.set(`${zone.name}/${plan.name}`, disk)
    return disk
  }

  remove({ zone, plan }: Disk): void {
    this.#byKey.delete(`${zone.name}/${plan.name}`)
  }
}
