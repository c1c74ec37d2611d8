import { permissions as aws } from '../../../providers/aws/wire/permissions.ts'
import { permissions as azure } from '../../../providers/azure/wire/permissions.ts'
import { permissions as gcp } from '../../../providers/gcp/wire/permissions.ts'
import { permissions as ibm } from '../../../providers/ibm/wire/permissions.ts'
import type { Permissions } from '../../../providers/permissions.ts'
import type { LabCloudName } from '../../lab/clouds/start.ts'
import type { LabCloud } from '../../lab/clouds/cloud.ts'

const tables: Readonly<Record<LabCloudName, Permissions>> = { aws, azure, gcp, ibm }

/** Calls of an identity provider: to sign in needs no permission. */
const signsIn = /^(Authority_\w+|token)$/

/** The calls that a cloud has recorded and docs/permissions.md does not name. */
export function callsBeyondPermissions(cloud: LabCloud): string[] {
  const known = Object.keys(tables[cloud.name].calls)
  const made = Object.keys(cloud.control.counts().actions)
  return made.filter((action) => !known.includes(action) && !signsIn.test(action))
}
