import type { CloudReference } from '../entry.ts'
import { leastOf } from '../permissions.ts'
import { variables } from './variables.ts'
import { errorKinds } from './wire/errors.ts'
import { permissions } from './wire/permissions.ts'

const role = [
  'title: cluster-api-provider-spot',
  'includedPermissions:',
  ...leastOf(permissions).map((one) => `- ${one}`),
]

export const reference: CloudReference = {
  title: 'Google Cloud',
  errorKinds,
  variables,
  permissions: {
    tables: permissions,
    policy: { language: 'yaml', text: role.join('\n') },
    before: 'A custom role in the project:',
  },
}
