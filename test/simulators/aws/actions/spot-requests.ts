import type { Action } from '../http/action.ts'
import { ids } from '../ids.ts'
import type { Instance, SpotRequest } from '../instances/instance.ts'
import { describe } from '../http/listing.ts'
import { writeTags } from '../instances/tags.ts'
import { xmlTime, type XmlElement } from '../http/xml.ts'

interface Fulfilled {
  readonly request: SpotRequest
  readonly instance: Instance
}

/** EC2 shows a request for so long after it was canceled and its instance has ended. */
const shownAfterEndMs = 4 * 3_600_000

/** RunInstances makes one request an instance, and it is fulfilled at once or not at all. */
const describeSpotInstanceRequests = describe<Fulfilled>({
  name: 'DescribeSpotInstanceRequests',
  set: 'spotInstanceRequestSet',
  items: ({ instances, clock }) =>
    instances
      .histories()
      .filter(({ instance: { endedAt = Infinity } }) => clock.now() - endedAt < shownAfterEndMs)
      .flatMap(({ instance }) => (instance.spot ? [{ request: instance.spot, instance }] : []))
      .toArray(),
  filters: {
    // Terms that these requests do not have.
    ...Object.fromEntries(['availability-zone-group', 'launch-group', 'valid-from', 'valid-until'].map(hasNone)),
    // No request fails after it was fulfilled.
    ...Object.fromEntries(['fault-code', 'fault-message'].map(hasNone)),
    'create-time': ({ instance }) => [xmlTime(instance.launchedAt)],
    'instance-id': ({ instance }) => [instance.id],
    'launch.image-id': ({ instance }) => [instance.plan.image.id],
    'launch.instance-type': ({ instance }) => [instance.plan.type.name],
    'launch.key-name': ({ instance }) => [instance.plan.key?.name],
    'launched-availability-zone': ({ instance }) => [instance.plan.subnet.zone.name],
    'launched-availability-zone-id': ({ instance }) => [instance.plan.subnet.zone.id],
    'network-interface.subnet-id': ({ instance }) => instance.plan.interfaces.map(({ subnet }) => subnet.id),
    'product-description': () => ['Linux/UNIX'],
    'spot-instance-request-id': ({ request }) => [request.id],
    'spot-price': ({ request }) => [String(request.maxPrice)],
    state: ({ request }) => [request.state],
    'status-code': ({ request }) => [request.status.code],
    'status-message': ({ request }) => [request.status.message],
    type: () => ['one-time'],
  },
  tagsOf: ({ request }) => request.tags,
  by: [
    {
      parameter: 'SpotInstanceRequestId',
      called: 'spotInstanceRequestIds',
      of: ({ request }) => request.id,
      kind: ids.spotRequest,
    },
  ],
  page: { min: 5, max: 1000 },
  place: ({ instance }) => instance.number,
  write: (requests) => requests.map(writeRequest),
})

function hasNone(filter: string): readonly [string, () => readonly string[]] {
  return [filter, () => []]
}

function writeRequest({ request, instance }: Fulfilled): XmlElement {
  const { plan } = instance
  return {
    spotInstanceRequestId: request.id,
    spotPrice: request.maxPrice.toFixed(6),
    type: 'one-time',
    state: request.state,
    status: { ...request.status, updateTime: xmlTime(request.updatedAt) },
    instanceId: instance.id,
    createTime: xmlTime(instance.launchedAt),
    launchSpecification: { imageId: plan.image.id, instanceType: plan.type.name, subnetId: plan.subnet.id },
    launchedAvailabilityZone: plan.subnet.zone.name,
    productDescription: 'Linux/UNIX',
    instanceInterruptionBehavior: 'terminate',
    tagSet: writeTags(request.tags),
  }
}

export const spotRequestActions: readonly Action[] = [describeSpotInstanceRequests]
