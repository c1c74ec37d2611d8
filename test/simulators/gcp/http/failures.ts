import { statusesOf } from '../../kit/http/refusal.ts'
import { GceError } from './errors.ts'
import type { InsertPlan } from '../instances/instance.ts'
import type { OperationError } from './operations.ts'
import { isOfferedIn } from '../supply/machine-types.ts'
import type { Quota } from '../supply/quotas.ts'
import type { Subnetwork, World } from '../world.ts'

/** Statuses that go with codes of operations; the rest are 400. */
const statusOf = statusesOf({
  403: 'QUOTA_EXCEEDED RESOURCE_OPERATION_RATE_EXCEEDED',
  409: 'OPERATION_CANCELED_BY_USER',
  500: 'INTERNAL_ERROR',
  503: 'STOCKOUT ZONE_RESOURCE_POOL_EXHAUSTED ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
})

export function operationError(code: string, message: string, details: readonly object[] = []): OperationError {
  return { code, message, status: statusOf(code), ...(details.length > 0 && { details }) }
}

const documentation = 'https://cloud.google.com/compute/docs/resource-error'

/** GCE has none of this to give, said after it had said yes. */
export function stockout({ machineType, accelerators, zone }: InsertPlan, world: World): OperationError {
  const others = world.zones.filter(
    ({ name, region }) => region === zone.region && name !== zone.name && isOfferedIn(machineType, name),
  )
  const attachment = accelerators.map(({ type, count }) => `${type}:${count}`).join(',')
  const message =
    `The zone 'projects/${world.project}/zones/${zone.name}' does not have enough resources available to fulfill the ` +
    `request.  '(resource type:compute)'.`
  const localized =
    `A ${machineType.name} VM instance is currently unavailable in the ${zone.name} zone. Alternatively, you can try ` +
    'your request again with a different VM hardware configuration or at a later time. For more information, see the ' +
    'troubleshooting documentation.'
  return operationError('ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', message, [
    { help: { links: [{ description: 'Troubleshooting documentation', url: documentation }] } },
    { localizedMessage: { locale: 'en-US', message: localized } },
    {
      errorInfo: {
        reason: 'resource_availability',
        domain: 'compute.googleapis.com',
        metadatas: {
          attachment,
          vmType: machineType.name,
          zone: zone.name,
          zonesAvailable: others.map(({ name }) => name).join(','),
        },
      },
    },
  ])
}

/** The same, said at once. */
export function stockoutNow({ zone }: InsertPlan, { project }: World): GceError {
  return new GceError(
    'resourcePoolExhausted',
    `The zone 'projects/${project}/zones/${zone.name}' does not have enough resources available to fulfill the ` +
      'request.  Try a different zone, or try again later.',
  )
}

function quotaSentence({ metric, limit }: Quota, region: string): string {
  return `Quota '${metric}' exceeded.  Limit: ${limit.toFixed(1)} in region ${region}.`
}

export function quotaExceeded(quota: Quota, region: string): OperationError {
  const metricName = `compute.googleapis.com/${quota.metric.toLowerCase()}`
  const limitName = `${quota.metric.replaceAll('_', '-')}-per-project-region`
  return operationError('QUOTA_EXCEEDED', quotaSentence(quota, region), [
    { quotaInfo: { metricName, limitName, limit: quota.limit, dimensions: { region } } },
  ])
}

export function quotaExceededNow(quota: Quota, region: string): GceError {
  return new GceError('quotaExceeded', quotaSentence(quota, region))
}

export function addressesExhausted({ name, region, cidr }: Subnetwork, { project }: World): OperationError {
  const subnetwork = `projects/${project}/regions/${region}/subnetworks/${name}`
  return operationError(
    'IP_SPACE_EXHAUSTED_WITH_DETAILS',
    `IP space of '${subnetwork}' is exhausted. Insufficient free IP addresses in the IP range '${cidr}'. Consider ` +
      'expanding the current IP range or selecting an alternative IP range. If this is a secondary range, consider ' +
      'adding an additional secondary range.',
    [
      {
        errorInfo: { reason: 'ip_space_exhausted', domain: 'compute.googleapis.com', metadatas: { subnetwork, cidr } },
      },
    ],
  )
}

export function canceled(user: string): OperationError {
  return operationError('OPERATION_CANCELED_BY_USER', `Operation was canceled by user '${user}'.`)
}
