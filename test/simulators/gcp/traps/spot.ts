import { gpu, reserved, spot, typed, type Trap } from './trap.ts'

const restart = 'Scheduling must have preemptible be false when AutomaticRestart is true.'
const migrate = "Scheduling must have preemptible be false when OnHostMaintenance isn't TERMINATE."
const reservations = 'Preemptible and Spot VM instances cannot consume reservations.'
const scheduled = (scheduling: object) => ({ scheduling })

/** What GCE does not let one ask of a spot instance, nor of one that is none. */
export const spotTerms: readonly Trap[] = [
  { trap: 'a spot instance that restarts by itself', said: spot({ automaticRestart: true }), message: restart },
  { trap: 'a spot instance that migrates', said: spot({ onHostMaintenance: 'MIGRATE' }), message: migrate },
  {
    trap: 'a preemptible instance that restarts by itself',
    said: scheduled({ preemptible: true, automaticRestart: true }),
    message: restart,
  },
  {
    trap: 'a preemptible instance that migrates',
    said: scheduled({ preemptible: true, onHostMaintenance: 'MIGRATE' }),
    message: migrate,
  },
  {
    trap: 'a spot instance that is not preemptible',
    said: spot({ preemptible: false }),
    message: "'resource.scheduling.preemptible': 'false'",
  },
  {
    trap: 'a termination action of an instance on demand',
    said: scheduled({ instanceTerminationAction: 'DELETE' }),
    message: "'resource.scheduling.instanceTerminationAction': 'DELETE'. You cannot specify a termination action",
  },
  {
    trap: 'a termination action of a preemptible instance',
    said: scheduled({ preemptible: true, instanceTerminationAction: 'STOP' }),
    message: 'You cannot specify a termination action',
  },
  {
    trap: 'a notice of one minute',
    said: spot({ preemptionNoticeDuration: { seconds: '60' } }),
    message: "'resource.scheduling.preemptionNoticeDuration.seconds': '60'. Must be 0 or 120 seconds.",
  },
  {
    trap: 'a notice for an instance on demand',
    said: scheduled({ preemptionNoticeDuration: { seconds: '120' } }),
    message: 'Only Spot VM instances have a preemption notice.',
  },
  {
    trap: 'a provisioning model that is not simulated',
    said: scheduled({ provisioningModel: 'FLEX_START' }),
    code: 'notImplemented',
    status: 501,
    message: 'the provisioning model FLEX_START',
  },
  {
    trap: 'a spot instance in any reservation',
    said: reserved('ANY_RESERVATION'),
    message: `'resource.reservationAffinity.consumeReservationType': 'ANY_RESERVATION'. ${reservations}`,
  },
  {
    trap: 'a spot instance in a reservation of its own',
    said: reserved('SPECIFIC_RESERVATION', { key: 'compute.googleapis.com/reservation-name', values: ['mine'] }),
    message: reservations,
  },
  {
    trap: 'a preemptible instance in any reservation',
    said: { ...scheduled({ preemptible: true }), ...reserved('ANY_RESERVATION') },
    message: reservations,
  },
  {
    trap: 'an accelerator that migrates',
    said: { ...scheduled({}), ...gpu('nvidia-tesla-t4', 1) },
    code: 'badRequest',
    message: 'Instances with guest accelerators do not support live migration.',
  },
  {
    trap: 'a machine type with accelerators that migrates',
    said: { ...scheduled({}), ...typed('g2-standard-4') },
    code: 'badRequest',
    message: 'Instances with guest accelerators do not support live migration.',
  },
  { trap: 'an accelerator that is not there', said: gpu('nvidia-h900', 1), message: 'acceleratorType resource' },
  { trap: 'too many accelerators', said: gpu('nvidia-tesla-t4', 5), message: 'Must be from 1 to 4.' },
]
