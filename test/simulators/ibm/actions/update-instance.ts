import { action } from '../http/action.ts'
import type { Account } from '../account.ts'
import { checkClass, checkPool } from '../launch/availability.ts'
import { checkName, nameTaken } from '../launch/network.ts'
import { metadataService, reservationAffinity } from '../launch/parameters.ts'
import { metadataOf, policyOf } from '../launch/settings.ts'
import { badField, invalidState, notFound } from '../http/errors.ts'
import { each, structure, text, unplayed, word, type Values } from '../../kit/http/schema.ts'
import { etagOf, writeInstance } from '../instances/instance-json.ts'
import type { Instance } from '../instances/instance.ts'

const fields = {
  name: text,
  availability: structure({ class: word('spot', 'standard') }),
  availability_policy: structure({ host_failure: word('restart', 'stop'), preemption: word('delete', 'stop') }),
  reservation_affinity: reservationAffinity,
  metadata_service: metadataService,
  ...each(unplayed, 'confidential_compute_mode enable_secure_boot placement_target profile threads_per_core'),
  ...each(unplayed, 'total_volume_bandwidth vcpu volume_bandwidth_qos_mode'),
} as const

type Changes = Values<typeof fields>

export const updateInstance = action({
  name: 'update_instance',
  method: 'PATCH',
  path: '/v1/instances/{id}',
  fields,
  perform(changes, { path, base }, account) {
    const { sight, instances, lifecycle } = account
    const { id = '' } = path
    const instance = sight.find(id)
    if (!instance) throw notFound('Instance', id)
    Object.assign(instance, checked(changes, instance, account))
    lifecycle.touch(instance)
    const shown = instances.shown(instance)
    return { status: 200, body: writeInstance(shown, base, account), headers: { etag: etagOf(shown) } }
  },
})

/** All of it or nothing. */
function checked(changes: Changes, instance: Instance, account: Account): Partial<Instance> {
  const { name, metadata_service: metadata, availability_policy: policy } = changes
  checkName(name, 'name')
  if (name !== undefined && name !== instance.name && account.instances.hasName(name)) throw nameTaken(name)
  return {
    name: name ?? instance.name,
    ...checkedTerms(changes, instance, account),
    // A change while a preemption is under way holds for the next one only: that one reads the policy when it begins.
    policy: policyOf(policy, instance.policy),
    metadata: metadataOf(metadata, instance.metadata),
  }
}

function checkedTerms(changes: Changes, instance: Instance, account: Account): Partial<Instance> {
  const { profile, placement } = instance.plan
  const wanted = changes.availability?.class
  if (wanted !== undefined && wanted !== instance.availability && !isOff(instance)) {
    throw invalidState(`The availability class cannot be changed at the status ${instance.status} of the instance.`)
  }
  const availability = checkClass(wanted ?? instance.availability, profile)
  const given = changes.reservation_affinity
  const where = { profile, zone: instance.zone.name }
  const affinity = given
    ? checkPool(given.policy ?? instance.affinity.policy, given.pool ?? [], where, account)
    : instance.affinity
  if (affinity.policy !== 'disabled' && (availability === 'spot' || placement)) {
    throw badField(
      'reservation_affinity.policy',
      'The policy must be `disabled` for such an instance.',
      affinity.policy,
    )
  }
  return { availability, affinity }
}

function isOff({ status }: Instance): boolean {
  return status === 'stopped' || status === 'stopping'
}
