import { GceError, invalidValue, notSimulated } from '../http/errors.ts'
import type { Scheduling } from '../instances/instance.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'

type Asked = NonNullable<InstanceValues['scheduling']>

const field = (name: string) => `resource.scheduling.${name}`

/** What a spot instance may be told, and what may be said of one that is none. */
export function checkScheduling(asked: Asked = {}, hasAccelerators: boolean): Scheduling {
  const provisioningModel = modelOf(asked)
  const isSpot = provisioningModel === 'SPOT' || asked.preemptible === true
  checkContradictions(asked, isSpot)
  const onHostMaintenance = asked.onHostMaintenance ?? (isSpot ? 'TERMINATE' : 'MIGRATE')
  if (hasAccelerators && onHostMaintenance === 'MIGRATE') {
    throw new GceError('badRequest', 'Instances with guest accelerators do not support live migration.')
  }
  return {
    isSpot,
    provisioningModel,
    preemptible: isSpot,
    automaticRestart: asked.automaticRestart ?? !isSpot,
    onHostMaintenance,
    terminationAction: provisioningModel === 'SPOT' ? (asked.instanceTerminationAction ?? 'STOP') : undefined,
    noticeSeconds: checkNotice(asked.preemptionNoticeDuration, provisioningModel === 'SPOT'),
  }
}

/** The older preemptible instances are of the standard model. */
function modelOf({ provisioningModel = 'STANDARD' }: Asked): 'STANDARD' | 'SPOT' {
  if (provisioningModel === 'STANDARD' || provisioningModel === 'SPOT') return provisioningModel
  throw notSimulated(`the provisioning model ${provisioningModel}`)
}

function checkContradictions(asked: Asked, isSpot: boolean): void {
  const { provisioningModel, preemptible, instanceTerminationAction: action } = asked
  if (provisioningModel === 'SPOT' && preemptible === false) {
    throw invalidValue(
      field('preemptible'),
      false,
      'Scheduling must have preemptible be true for SPOT provisioning model.',
    )
  }
  if (isSpot && asked.automaticRestart === true) {
    throw invalidValue(
      field('preemptible'),
      true,
      'Scheduling must have preemptible be false when AutomaticRestart is true.',
    )
  }
  if (isSpot && asked.onHostMaintenance === 'MIGRATE') {
    throw invalidValue(
      field('preemptible'),
      true,
      "Scheduling must have preemptible be false when OnHostMaintenance isn't TERMINATE.",
    )
  }
  if (action !== undefined && provisioningModel !== 'SPOT') {
    throw invalidValue(
      field('instanceTerminationAction'),
      action,
      'You cannot specify a termination action for a VM instance that has the standard provisioning model (default).',
    )
  }
}

function checkNotice(notice: Asked['preemptionNoticeDuration'], isSpot: boolean): number | undefined {
  if (notice === undefined) return undefined
  const { seconds = 0, nanos = 0 } = notice
  if (!isSpot) {
    throw invalidValue(field('preemptionNoticeDuration'), seconds, 'Only Spot VM instances have a preemption notice.')
  }
  if (nanos === 0 && [0, 120].includes(seconds)) return seconds
  throw invalidValue(field('preemptionNoticeDuration.seconds'), seconds, 'Must be 0 or 120 seconds.')
}
