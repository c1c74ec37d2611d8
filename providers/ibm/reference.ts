import type { CloudReference } from '../entry.ts'
import { leastOf } from '../permissions.ts'
import { variables } from './variables.ts'
import { errorKinds } from './wire/errors.ts'
import { permissions } from './wire/permissions.ts'

export const reference: CloudReference = {
  title: 'IBM Cloud',
  errorKinds,
  variables,
  permissions: {
    tables: permissions,
    policy: { language: 'text', text: leastOf(permissions).join('\n') },
    before:
      'Actions of VPC Infrastructure Services. The platform roles Editor and Viewer of that service include them.',
  },
}
