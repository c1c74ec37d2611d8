import type { DiskPlan, LaunchPlan } from './instance.ts'
import { Shelf, type Resource } from './resources.ts'

export interface Disk extends Resource {
  readonly name: string
  readonly resourceGroup: string
  readonly zone: string | undefined
  readonly sizeGB: number
  readonly sku: string
  readonly isSystem: boolean
  /** The virtual machine that it belongs to. */
  attachedTo: string | undefined
  isDeleting: boolean
}

export class Disks {
  readonly shelf: Shelf<Disk> = new Shelf()

  get(id: string): Disk | undefined {
    return this.shelf.get(id)
  }

  /** The disks of a machine that is being made: they are there at once, whatever becomes of the machine. */
  make({ resourceGroup, zone, tags }: LaunchPlan, plan: DiskPlan, owner: { vm: string; now: number }): void {
    if (plan.isEphemeral) return
    const { id, name, sizeGB, sku, lun } = plan
    this.shelf.add({
      id,
      name,
      resourceGroup,
      zone,
      sizeGB,
      sku,
      isSystem: lun === undefined,
      // As the machine that brings it.
      tags,
      attachedTo: owner.vm,
      isDeleting: false,
      number: this.shelf.nextNumber(),
      createdAt: owner.now,
    })
  }

  remove(disk: Disk, now: number): void {
    this.shelf.remove(disk, now)
  }

  detach(disk: Disk, now: number): void {
    disk.attachedTo = undefined
    this.shelf.note(disk, now)
  }
}
