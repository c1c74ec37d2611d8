import { disk, image, typed, type Trap } from './trap.ts'

const name = (text: string) => `Invalid value for field 'resource.name': '${text}'. Must be a match of regex`

/** What an insert names must be there, and be written as GCE wants it. */
export const names: readonly Trap[] = [
  { trap: 'no name', said: { name: '' }, code: 'required', message: "Required field 'resource.name' not specified" },
  { trap: 'a name with capitals', said: { name: 'Worker' }, message: name('Worker') },
  { trap: 'a name that begins with a number', said: { name: '1worker' }, message: name('1worker') },
  { trap: 'a name that ends with a dash', said: { name: 'worker-' }, message: name('worker-') },
  { trap: 'a name of 64 characters', said: { name: 'w'.repeat(64) }, message: name('w'.repeat(64)) },
  {
    trap: 'no machine type',
    said: { machineType: null },
    code: 'required',
    message: "Required field 'resource.machineType' not specified",
  },
  {
    trap: 'a machine type that GCE has not',
    said: typed('e2-huge-1'),
    message:
      "Invalid value for field 'resource.machineType': 'zones/us-central1-a/machineTypes/e2-huge-1'. Machine type with " +
      "name 'e2-huge-1' does not exist in zone 'us-central1-a'.",
  },
  { trap: 'a bare machine type', said: { machineType: 'e2-standard-2' }, message: 'The URL is malformed.' },
  {
    trap: 'a machine type of another zone',
    said: { machineType: 'zones/us-central1-b/machineTypes/e2-standard-2' },
    message: "It is not in the zone 'us-central1-a' of the instance.",
  },
  {
    trap: 'a machine type that the zone does not offer',
    said: typed('c9-standard-4'),
    message: "does not exist in zone 'us-central1-a'.",
  },
  {
    trap: 'an image that is not there',
    said: disk({ sourceImage: 'global/images/gone' }),
    message: "'global/images/gone'. The referenced image resource cannot be found.",
  },
  {
    trap: 'a family that is not there',
    said: disk({ sourceImage: 'projects/ubuntu-os-cloud/global/images/family/gone' }),
    message: 'The referenced image resource cannot be found.',
  },
  {
    trap: 'an image of another architecture',
    said: typed('t2a-standard-2'),
    code: 'badRequest',
    message: 'Requested boot disk architecture (X86_64) is not compatible with machine type architecture (ARM64).',
  },
  {
    trap: 'an image for a machine of its own architecture only',
    said: disk({ sourceImage: image.replace('2404', '2404-arm64') }),
    code: 'badRequest',
    message: 'Requested boot disk architecture (ARM64) is not compatible with machine type architecture (X86_64).',
  },
]
