import { gpu, reserved, spot, typed, trapsOf } from './trap.ts'

const restart = 'Scheduling must have preemptible be false when AutomaticRestart is true.'
const migrate = "Scheduling must have preemptible be false when OnHostMaintenance isn't TERMINATE."
const reservations = 'Preemptible and Spot VM instances cannot consume reservations.'
const scheduled = (scheduling: object) => ({ scheduling })

/** What GCE does not let one ask of a spot instance, nor of one that is none. */
export const spotTerms = trapsOf({
  invalid: [
    ['a spot instance that restarts by itself', spot({ automaticRestart: true }), restart],
    ['a spot instance that migrates', spot({ onHostMaintenance: 'MIGRATE' }), migrate],
    [
      'a preemptible instance that restarts by itself',
      scheduled({ preemptible: true, automaticRestart: true }),
      restart,
    ],
    ['a preemptible instance that migrates', scheduled({ preemptible: true, onHostMaintenance: 'MIGRATE' }), migrate],
    [
      'a spot instance that is not preemptible',
      spot({ preemptible: false }),
      "'resource.scheduling.preemptible': 'false'",
    ],
    [
      'a termination action of an instance on demand',
      scheduled({ instanceTerminationAction: 'DELETE' }),
      "'resource.scheduling.instanceTerminationAction': 'DELETE'. You cannot specify a termination action",
    ],
    [
      'a termination action of a preemptible instance',
      scheduled({ preemptible: true, instanceTerminationAction: 'STOP' }),
      'You cannot specify a termination action',
    ],
    [
      'a notice of one minute',
      spot({ preemptionNoticeDuration: { seconds: '60' } }),
      "'resource.scheduling.preemptionNoticeDuration.seconds': '60'. Must be 0 or 120 seconds.",
    ],
    [
      'a notice for an instance on demand',
      scheduled({ preemptionNoticeDuration: { seconds: '120' } }),
      'Only Spot VM instances have a preemption notice.',
    ],
    [
      'a spot instance in any reservation',
      reserved('ANY_RESERVATION'),
      `'resource.reservationAffinity.consumeReservationType': 'ANY_RESERVATION'. ${reservations}`,
    ],
    [
      'a spot instance in a reservation of its own',
      reserved('SPECIFIC_RESERVATION', { key: 'compute.googleapis.com/reservation-name', values: ['mine'] }),
      reservations,
    ],
    [
      'a preemptible instance in any reservation',
      { ...scheduled({ preemptible: true }), ...reserved('ANY_RESERVATION') },
      reservations,
    ],
    ['an accelerator that is not there', gpu('nvidia-h900', 1), 'acceleratorType resource'],
    ['too many accelerators', gpu('nvidia-tesla-t4', 5), 'Must be from 1 to 4.'],
  ],
  notImplemented: [
    [
      'a provisioning model that is not simulated',
      scheduled({ provisioningModel: 'FLEX_START' }),
      'the provisioning model FLEX_START',
      501,
    ],
  ],
  badRequest: [
    [
      'an accelerator that migrates',
      { ...scheduled({}), ...gpu('nvidia-tesla-t4', 1) },
      'Instances with guest accelerators do not support live migration.',
    ],
    [
      'a machine type with accelerators that migrates',
      { ...scheduled({}), ...typed('g2-standard-4') },
      'Instances with guest accelerators do not support live migration.',
    ],
  ],
})
