import { alreadyExists, GceError, invalidValue } from '../http/errors.ts'
import { isName, nameForm } from '../ids.ts'
import type { DiskPlan } from '../instances/instance.ts'
import type { MachineType } from '../supply/machine-types.ts'
import type { Project } from '../project.ts'
import { placesIn } from '../../kit/http/routes.ts'
import { pathOf, readReference } from '../references.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'
import type { Image, World, Zone } from '../world.ts'
import { checkLabels } from './labels.ts'

type Asked = NonNullable<InstanceValues['disks']>[number]

interface Wanted {
  readonly instance: string
  readonly zone: Zone
  readonly machineType: Pick<MachineType, 'architecture' | 'onlyHyperdisks'>
}

/** The disks that are made with an instance: one to boot from, first of all. */
export function checkDisks(asked: readonly Asked[] = [], wanted: Wanted, project: Project): readonly DiskPlan[] {
  const plans = asked.map((one, at) => checkDisk(one, at, { ...wanted, project }))
  const boot = plans.filter(({ isBoot }) => isBoot).length
  if (boot !== 1) {
    const why = boot === 0 ? 'A boot disk must be specified.' : 'At most one boot disk can be specified.'
    throw invalidValue('resource.disks', '', why)
  }
  const persistent = plans.filter(({ isScratch }) => !isScratch)
  for (const [at, { name }] of persistent.entries()) {
    const path = `projects/${project.world.project}/zones/${wanted.zone.name}/disks/${name}`
    const isTwice = persistent.findIndex((one) => one.name === name) < at
    if (isTwice || project.disks.find(wanted.zone.name, name)) throw alreadyExists(path)
  }
  return plans
}

function checkDisk(asked: Asked, at: number, place: Wanted & { readonly project: Project }): DiskPlan {
  const { world } = place.project
  const path = `resource.disks[${at}]`
  const isScratch = asked.type === 'SCRATCH'
  const { initializeParams: given = {}, boot = false } = asked
  const type = typeOf(given.diskType, { zone: place.zone, world, path })
  checkScratch(asked, type, path)
  const image = given.sourceImage === undefined ? undefined : imageOf(given.sourceImage, world, path)
  if (boot && !image) {
    throw new GceError('required', `Required field '${path}.initializeParams.sourceImage' not specified`)
  }
  if (place.machineType.onlyHyperdisks && type.startsWith('pd-')) {
    throw new GceError('invalid', `[${type}] features are not compatible for creating instance.`)
  }
  checkArchitecture(image, place.machineType.architecture)
  return {
    name: nameOf(asked, { at, path, instance: place.instance }),
    isBoot: boot,
    isScratch,
    ...attachment(asked, at),
    type,
    sizeGb: isScratch ? 375 : sizeOf(given.diskSizeGb ?? asked.diskSizeGb, image, path),
    image,
    labels: checkLabels(given.labels, `${path}.initializeParams.labels`),
  }
}

function checkScratch({ type: asked = 'PERSISTENT', initializeParams }: Asked, type: string, path: string): void {
  const isScratch = asked === 'SCRATCH'
  if (isScratch !== (type === 'local-ssd')) {
    throw invalidValue(`${path}.type`, asked, 'Only local SSDs are scratch disks.')
  }
  if (isScratch && initializeParams?.labels) {
    throw invalidValue(`${path}.initializeParams.labels`, '', 'Labels are only applicable for persistent disks.')
  }
}

function attachment(
  { deviceName, autoDelete, interface: how, mode, type }: Asked,
  at: number,
): Pick<DiskPlan, 'deviceName' | 'autoDelete' | 'interface' | 'mode'> {
  return {
    deviceName: deviceName ?? `persistent-disk-${at}`,
    autoDelete: autoDelete ?? type === 'SCRATCH',
    interface: how ?? 'SCSI',
    mode: mode ?? 'READ_WRITE',
  }
}

function nameOf(
  { initializeParams: { diskName } = {} }: Asked,
  { at, path, instance }: { at: number; path: string; instance: string },
): string {
  const name = diskName ?? (at === 0 ? instance : `${instance}-${at}`)
  if (isName(name) || diskName === undefined) return name
  throw invalidValue(`${path}.initializeParams.diskName`, name, `Must be a match of regex '${nameForm}'`)
}

function typeOf(
  reference: string | undefined,
  { zone, world, path }: { zone: Zone; world: World; path: string },
): string {
  if (reference === undefined) return 'pd-standard'
  const field = `${path}.initializeParams.diskType`
  const form = 'projects/{project}/zones/{zone}/diskTypes/{name}'
  const parts = readReference(reference, form, { project: world.project, field })
  const { name = '' } = parts
  if (world.diskTypes.includes(name) && parts['zone'] === zone.name) return name
  throw invalidValue(field, reference, 'The referenced diskType resource cannot be found.')
}

/** By its own name, or as the newest of its family. */
function imageOf(reference: string, world: World, path: string): Image {
  const full = pathOf(reference, world.project)
  const named = placesIn(full, 'projects/{project}/global/images/{name}')
  const family = placesIn(full, 'projects/{project}/global/images/family/{family}')
  const found = world.images.find((image) => {
    if (named) return image.project === named['project'] && image.name === named['name']
    return family && image.project === family['project'] && image.family === family['family']
  })
  if (found) return found
  const field = `${path}.initializeParams.sourceImage`
  throw invalidValue(field, reference, 'The referenced image resource cannot be found.')
}

function checkArchitecture(image: Image | undefined, wanted: Image['architecture']): void {
  if (!image || image.architecture === wanted) return
  throw new GceError(
    'badRequest',
    `Requested boot disk architecture (${image.architecture}) is not compatible with machine type architecture ` +
      `(${wanted}).`,
  )
}

function sizeOf(asked: number | undefined, image: Image | undefined, path: string): number {
  const least = image?.diskSizeGb ?? 10
  const size = asked ?? (image ? least : 500)
  if (size >= least && size <= 65_536) return size
  const why =
    size < least
      ? `Requested disk size cannot be smaller than the image size (${least} GB)`
      : 'Must be less than or equal to 65536'
  throw invalidValue(`${path}.initializeParams.diskSizeGb`, size, why)
}
