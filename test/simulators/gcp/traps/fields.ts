import { disk, nic, spot, type Trap } from './trap.ts'

const unknown = (name: string, at: string) =>
  `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`

/** What no message of GCE's can hold. */
export const fields: readonly Trap[] = [
  {
    trap: 'a field that is unknown',
    said: { instanceType: 'e2-standard-2' },
    code: 'badRequest',
    message: unknown('instanceType', 'resource'),
  },
  {
    trap: 'a field that is unknown inside another',
    said: spot({ maxPrice: '1' }),
    code: 'badRequest',
    message: unknown('maxPrice', 'resource.scheduling'),
  },
  {
    trap: 'a field that is unknown in a list',
    said: nic({ subnet: 'x' }),
    code: 'badRequest',
    message: unknown('subnet', 'resource.networkInterfaces[0]'),
  },
  {
    trap: 'a field as other clouds and languages write it',
    said: { machine_type: 'x' },
    code: 'badRequest',
    message: unknown('machine_type', 'resource'),
  },
  {
    trap: 'a word for a truth',
    said: spot({ automaticRestart: 'false' }),
    code: 'badRequest',
    message: `Invalid value at 'resource.scheduling.automaticRestart' (TYPE_BOOL), "false"`,
  },
  {
    trap: 'a number for a text',
    said: { labels: { a: 1 } },
    code: 'badRequest',
    message: "Invalid value at 'resource.labels.a' (TYPE_STRING), 1",
  },
  {
    trap: 'a size that is no number',
    said: disk({ diskSizeGb: '20Gi' }),
    code: 'badRequest',
    message: `Invalid value at 'resource.disks[0].initializeParams.diskSizeGb' (TYPE_INT64), "20Gi"`,
  },
  {
    trap: 'a size with a fraction',
    said: disk({ diskSizeGb: 20.5 }),
    code: 'badRequest',
    message: 'TYPE_INT64',
  },
  {
    trap: 'a list for a map',
    said: { labels: [] },
    code: 'badRequest',
    message: "Invalid value at 'resource.labels' (an object), []",
  },
  {
    trap: 'one thing for a list',
    said: { disks: {} },
    code: 'badRequest',
    message: "Invalid value at 'resource.disks' (a list), {}",
  },
  {
    trap: 'a word that is unknown',
    said: spot({ provisioningModel: 'Spot' }),
    message: "Invalid value for field 'resource.scheduling.provisioningModel': 'Spot'. Must be one of: STANDARD, SPOT",
  },
  {
    trap: 'what is not simulated, and it says so',
    said: { advancedMachineFeatures: { threadsPerCore: 1 } },
    code: 'notImplemented',
    status: 501,
    message: 'This simulator of GCE does not simulate the field resource.advancedMachineFeatures.',
  },
]
