import { disk, image, typed, trapsOf } from './trap.ts'

const name = (text: string) => `Invalid value for field 'resource.name': '${text}'. Must be a match of regex`

/** What an insert names must be there, and be written as GCE wants it. */
export const names = trapsOf({
  required: [
    ['no name', { name: '' }, "Required field 'resource.name' not specified"],
    ['no machine type', { machineType: null }, "Required field 'resource.machineType' not specified"],
  ],
  invalid: [
    ['a name with capitals', { name: 'Worker' }, name('Worker')],
    ['a name that begins with a number', { name: '1worker' }, name('1worker')],
    ['a name that ends with a dash', { name: 'worker-' }, name('worker-')],
    ['a name of 64 characters', { name: 'w'.repeat(64) }, name('w'.repeat(64))],
    [
      'a machine type that GCE has not',
      typed('e2-huge-1'),
      "Invalid value for field 'resource.machineType': 'zones/us-central1-a/machineTypes/e2-huge-1'. Machine type with " +
        "name 'e2-huge-1' does not exist in zone 'us-central1-a'.",
    ],
    ['a bare machine type', { machineType: 'e2-standard-2' }, 'The URL is malformed.'],
    [
      'a machine type of another zone',
      { machineType: 'zones/us-central1-b/machineTypes/e2-standard-2' },
      "It is not in the zone 'us-central1-a' of the instance.",
    ],
    ['a machine type that the zone does not offer', typed('c9-standard-4'), "does not exist in zone 'us-central1-a'."],
    [
      'an image that is not there',
      disk({ sourceImage: 'global/images/gone' }),
      "'global/images/gone'. The referenced image resource cannot be found.",
    ],
    [
      'a family that is not there',
      disk({ sourceImage: 'projects/ubuntu-os-cloud/global/images/family/gone' }),
      'The referenced image resource cannot be found.',
    ],
  ],
  badRequest: [
    [
      'an image of another architecture',
      typed('t2a-standard-2'),
      'Requested boot disk architecture (X86_64) is not compatible with machine type architecture (ARM64).',
    ],
    [
      'an image for a machine of its own architecture only',
      disk({ sourceImage: image.replace('2404', '2404-arm64') }),
      'Requested boot disk architecture (ARM64) is not compatible with machine type architecture (X86_64).',
    ],
  ],
})
