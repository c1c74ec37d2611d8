import { badField } from '../http/errors.ts'
import type { AvailabilityPolicy, MetadataService, Settings } from '../instances/instance.ts'
import type { InstanceProfile } from '../supply/instance-profiles.ts'
import type { CreateInstanceValues } from './parameters.ts'

const usualPolicy: AvailabilityPolicy = { hostFailure: 'restart', preemption: 'stop' }
const usualMetadata: MetadataService = { enabled: false, protocol: 'http', hopLimit: 1 }

/** What is not said is as it was before. */
export function policyOf(
  { host_failure, preemption }: CreateInstanceValues['availability_policy'] & object = {},
  before: AvailabilityPolicy = usualPolicy,
): AvailabilityPolicy {
  return { hostFailure: host_failure ?? before.hostFailure, preemption: preemption ?? before.preemption }
}

export function metadataOf(
  { enabled, protocol, response_hop_limit }: CreateInstanceValues['metadata_service'] & object = {},
  before: MetadataService = usualMetadata,
): MetadataService {
  return {
    enabled: enabled ?? before.enabled,
    protocol: protocol ?? before.protocol,
    hopLimit: response_hop_limit ?? before.hopLimit,
  }
}

export function checkSettings(values: CreateInstanceValues, { name, percentages }: InstanceProfile): Settings {
  const percentage = values.vcpu?.percentage ?? 100
  if (!percentages.includes(percentage)) {
    throw badField('vcpu.percentage', `The profile ${name} does not support this percentage.`, String(percentage))
  }
  return {
    secureBoot: values.enable_secure_boot ?? false,
    confidentialCompute: values.confidential_compute_mode ?? 'disabled',
    volumeBandwidth: values.total_volume_bandwidth,
    qosMode: values.volume_bandwidth_qos_mode ?? 'weighted',
    percentage,
    threadsPerCore: values.threads_per_core ?? 2,
  }
}
