import { disk, nic, spot, trapsOf } from './trap.ts'

const unknown = (name: string, at: string) =>
  `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`

/** What no message of GCE's can hold. */
export const fields = trapsOf({
  badRequest: [
    ['a field that is unknown', { instanceType: 'e2-standard-2' }, unknown('instanceType', 'resource')],
    ['a field that is unknown inside another', spot({ maxPrice: '1' }), unknown('maxPrice', 'resource.scheduling')],
    ['a field that is unknown in a list', nic({ subnet: 'x' }), unknown('subnet', 'resource.networkInterfaces[0]')],
    ['a field as other clouds and languages write it', { machine_type: 'x' }, unknown('machine_type', 'resource')],
    [
      'a word for a truth',
      spot({ automaticRestart: 'false' }),
      `Invalid value at 'resource.scheduling.automaticRestart' (TYPE_BOOL), "false"`,
    ],
    ['a number for a text', { labels: { a: 1 } }, "Invalid value at 'resource.labels.a' (TYPE_STRING), 1"],
    [
      'a size that is no number',
      disk({ diskSizeGb: '20Gi' }),
      `Invalid value at 'resource.disks[0].initializeParams.diskSizeGb' (TYPE_INT64), "20Gi"`,
    ],
    ['a size with a fraction', disk({ diskSizeGb: 20.5 }), 'TYPE_INT64'],
    ['a list for a map', { labels: [] }, "Invalid value at 'resource.labels' (an object), []"],
    ['one thing for a list', { disks: {} }, "Invalid value at 'resource.disks' (a list), {}"],
  ],
  invalid: [
    [
      'a word that is unknown',
      spot({ provisioningModel: 'Spot' }),
      "Invalid value for field 'resource.scheduling.provisioningModel': 'Spot'. Must be one of: STANDARD, SPOT",
    ],
  ],
  notImplemented: [
    [
      'what is not simulated, and it says so',
      { advancedMachineFeatures: { threadsPerCore: 1 } },
      'This simulator of GCE does not simulate the field resource.advancedMachineFeatures.',
      501,
    ],
  ],
})
