import { action, type Action } from '../http/action.ts'
import type { Account } from '../account.ts'
import { IbmError, invalidState, notFound } from '../http/errors.ts'
import { boolean, required, word } from '../../kit/http/schema.ts'
import { crnOf, kinds, newId, type Kind, type Resource } from '../ids.ts'
import { etagOf, writeInstance } from '../instances/instance-json.ts'
import type { Instance, InstanceStatus, InstanceVersion } from '../instances/instance.ts'
import { listing } from '../http/listing.ts'
import { hrefOf, time } from '../http/write.ts'
import { updateInstance } from './update-instance.ts'

type Values = (item: InstanceVersion, account: Account) => readonly (string | undefined)[]

/** A resource that is filtered by is named by its id, its CRN or its name. */
function byResource(prefix: string, kind: Kind, of: (item: InstanceVersion) => Resource | undefined) {
  const filters: Record<string, Values> = {
    [`${prefix}.id`]: (item) => [of(item)?.id],
    [`${prefix}.name`]: (item) => [of(item)?.name],
    [`${prefix}.crn`]: (item, { world }) => {
      const found = of(item)
      return [found && crnOf(kind, found, world)]
    },
  }
  return filters
}

const nothing: Values = () => []

const filters: Readonly<Record<string, Values>> = {
  'resource_group.id': ({ plan }) => [plan.resourceGroup.id],
  name: ({ name }) => [name],
  'availability.class': ({ availability }) => [availability],
  'reservation_affinity.policy': ({ affinity }) => [affinity.policy],
  ...byResource('vpc', kinds.vpc, ({ plan }) => plan.vpc),
  ...byResource('reservation', kinds.reservation, ({ reservation }) => reservation),
  ...byResource('placement_group', kinds.placementGroup, placed('placementGroup')),
  ...byResource('dedicated_host', kinds.dedicatedHost, placed('dedicatedHost')),
  // Nothing here is in a group of instances, or in a cluster network.
  'instance_group_membership.instance_group.id': nothing,
  'instance_group_membership.instance_group.crn': nothing,
  'cluster_network.id': nothing,
  'cluster_network.crn': nothing,
  'cluster_network.name': nothing,
}

function placed(kind: 'placementGroup' | 'dedicatedHost') {
  return ({ plan }: InstanceVersion) => (plan.placement?.kind === kind ? plan.placement.target : undefined)
}

const readInstances = listing<InstanceVersion>({
  names: ['list_instances', 'get_instance'],
  path: '/v1/instances',
  collection: 'instances',
  called: 'Instance',
  items: ({ sight }) => sight.look(),
  find: (id, { sight, instances }) => {
    const found = sight.find(id)
    return found && instances.shown(found)
  },
  filters,
  place: ({ number }) => number,
  idOf: ({ id }) => id,
  write: (instance, { base }, account) => writeInstance(instance, base, account),
  headers: (instance) => ({ etag: etagOf(instance) }),
})

export function findInstance(id: string, { sight }: Account): Instance {
  const found = sight.find(id)
  if (!found) throw notFound('Instance', id)
  return found
}

const inTransition: readonly InstanceStatus[] = ['pending', 'starting', 'stopping', 'restarting']

const deleteInstance = action({
  name: 'delete_instance',
  method: 'DELETE',
  path: '/v1/instances/{id}',
  perform(_, { path, request }, account) {
    const { instances, lifecycle, switches } = account
    const { behaviour } = switches
    const instance = findInstance(path['id'] ?? '', account)
    const wanted = request.headers['if-match']
    if (wanted !== undefined && wanted !== '*' && wanted !== etagOf(instances.shown(instance))) {
      throw new IbmError('precondition_failed', 'The ETag does not match.', {
        name: 'If-Match',
        type: 'header',
        value: wanted,
      })
    }
    const isRefused =
      instance.status === 'deleting'
        ? behaviour.secondDeletion === 'refused'
        : behaviour.deletionInTransition === 'refused' && inTransition.includes(instance.status)
    if (isRefused) {
      throw new IbmError('instance_delete_conflict', `The instance cannot be deleted in status ${instance.status}.`)
    }
    if (instance.status !== 'deleting') lifecycle.delete(instance)
    return { status: Number(behaviour.deletion) }
  },
})

const allowed: Readonly<Record<'start' | 'stop' | 'reboot', readonly InstanceStatus[]>> = {
  start: ['stopped', 'failed'],
  stop: ['running', 'starting'],
  reboot: ['running'],
}

const createInstanceAction = action({
  name: 'create_instance_action',
  method: 'POST',
  path: '/v1/instances/{id}/actions',
  fields: { type: required(word('start', 'stop', 'reboot')), force: boolean },
  perform({ type, force }, { path, base }, account) {
    const instance = findInstance(path['id'] ?? '', account)
    if (!allowed[type].includes(instance.status)) {
      throw invalidState(`The action ${type} is not supported at the status ${instance.status} of the instance.`)
    }
    act[type](instance, account, force ?? false)
    const id = newId(instance.zone.prefix)
    const href = `${hrefOf(kinds.instance, instance, base)}/actions/${id}`
    const created = { id, href, type, status: 'pending', created_at: time(account.clock.now()) }
    return { status: 201, body: { ...created, ...(force === undefined ? {} : { force }) } }
  },
})

const act: Readonly<Record<keyof typeof allowed, (instance: Instance, account: Account, force: boolean) => void>> = {
  start(instance, { lifecycle, supply, clock }) {
    const { availability, affinity, plan, zone } = instance
    const starting = { profile: plan.profile.name, zone: zone.name, availability, affinity }
    const { reservation, failure } = supply.judge({ ...starting, reservation: instance.reservation }, clock.now())
    instance.reservation = failure ? instance.reservation : reservation
    lifecycle.start(instance, failure)
  },
  stop(instance, { lifecycle }, force) {
    // What it took from a reservation unasked is free again; what it named it keeps.
    if (instance.affinity.policy === 'automatic') instance.reservation = undefined
    if (force) lifecycle.stop(instance, undefined, 0)
    else lifecycle.stop(instance, undefined)
  },
  reboot: (instance, { lifecycle }) => lifecycle.reboot(instance),
}

export const instanceActions: readonly Action[] = [
  ...readInstances,
  deleteInstance,
  updateInstance,
  createInstanceAction,
]
