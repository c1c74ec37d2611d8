import { invalidValue } from '../http/errors.ts'
import type { Accelerator } from '../instances/instance.ts'
import { acceleratorTypes, isOfferedIn } from '../supply/machine-types.ts'
import { readReference } from '../references.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'
import type { World, Zone } from '../world.ts'

/** Accelerators beside those that are part of the machine type. */
export function checkAccelerators(
  asked: InstanceValues['guestAccelerators'] = [],
  { zone, world }: { readonly zone: Zone; readonly world: World },
): readonly Accelerator[] {
  return asked.map(({ acceleratorType = '', acceleratorCount: count = 0 }, at) => {
    const path = `resource.guestAccelerators[${at}]`
    const form = 'projects/{project}/zones/{zone}/acceleratorTypes/{name}'
    const field = `${path}.acceleratorType`
    const parts = readReference(acceleratorType, form, { project: world.project, field })
    const found = acceleratorTypes.find(({ name }) => name === parts['name'])
    if (!found || parts['zone'] !== zone.name || !isOfferedIn(found, zone.name)) {
      throw invalidValue(field, acceleratorType, 'The referenced acceleratorType resource cannot be found.')
    }
    if (count >= 1 && count <= found.most) return { type: found.name, count }
    throw invalidValue(`${path}.acceleratorCount`, count, `Must be from 1 to ${found.most}.`)
  })
}
