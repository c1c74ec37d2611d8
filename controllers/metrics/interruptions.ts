import { readAttempt } from '../../api/attempt.ts'
import { clusterKeyOf, type InfraMachine } from '../../api/machine.ts'
import { parseOfferingKey } from '../../api/offering.ts'
import type { EventReason } from '../../api/reasons.ts'
import type { Recorder } from '../runtime/controller/events.ts'
import type { InterruptionSeries } from '../shared/interruption-series.ts'
import type { Metrics } from './metrics.ts'

export function interruptionSeries(metrics: Metrics): InterruptionSeries {
  return {
    notice: (cloud, { source, kind }, result) => metrics.count('notices', { cloud, source, kind, result }),
    announced: (infra) => countInterruption(metrics, infra, 'true'),
    passed: (until, seconds) => metrics.observe('noticeSeconds', { until }, seconds),
    queueAge: (cloud, region, seconds) => metrics.observe('noticeQueueAge', { cloud, region }, seconds),
  }
}

const unannounced: EventReason = 'TakenWithoutNotice'

/**
 * Counts the interruptions that nobody announced. Each counts once: its event is written when the status of the machine
 * changes, and the status survives a restart.
 */
export function countUnannounced(metrics: Metrics, recorder: Recorder): Recorder {
  return {
    event(input, ctx) {
      if (input.reason === unannounced) countInterruption(metrics, input.object as InfraMachine, 'false')
      recorder.event(input, ctx)
    },
    settled: () => recorder.settled(),
  }
}

function countInterruption(metrics: Metrics, infra: InfraMachine, announced: 'true' | 'false'): void {
  const reading = readAttempt(infra)
  const offering = reading.is === 'ours' ? parseOfferingKey(reading.attempt.offering ?? '') : undefined
  const { capacityType = '', instanceType = '', zone = '' } = offering ?? {}
  const [cluster = ''] = clusterKeyOf(infra)
  const labels = { cluster, capacity_type: capacityType, instance_type: instanceType, zone, announced }
  metrics.count('interruptions', labels)
}
