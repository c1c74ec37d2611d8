import { action, type Action, type Answer, type Asked } from '../http/action.ts'
import type { Account } from '../account.ts'
import { etagOf, writeInstance } from '../instances/instance-json.ts'
import { checkQuotas } from '../supply/quotas.ts'
import { createInstanceFields, type CreateInstanceValues } from './parameters.ts'
import { plan } from './plan.ts'

/** IBM says yes before it knows whether there is room: that is found out later, and told by the instance's status. */
function create(values: CreateInstanceValues, asked: Asked, account: Account): Answer {
  const { instances, lifecycle, supply, switches, clock } = account
  const planned = plan(values, asked.version, account)
  checkQuotas(switches.quotas, planned, instances.visible())
  const { availability, affinity, zone, profile } = planned
  const starting = { profile: profile.name, zone: zone.name, availability, affinity }
  const { reservation, failure } = supply.judge(starting, clock.now())
  const instance = instances.create(planned, failure ? undefined : reservation, clock.now())
  if (failure) supply.refuse(instance)
  lifecycle.boot(instance, failure)
  const shown = instances.shown(instance)
  return { status: 201, body: writeInstance(shown, asked.base, account), headers: { etag: etagOf(shown) } }
}

export const createInstance: Action = action({
  name: 'create_instance',
  method: 'POST',
  path: '/v1/instances',
  fields: createInstanceFields,
  perform: create,
})
