import type { CloudReference } from '../entry.ts'
import { leastOf } from '../permissions.ts'
import { variables } from './variables.ts'
import { errorKinds, wordings } from './wire/errors.ts'
import { permissions } from './wire/permissions.ts'

const role = {
  Name: 'cluster-api-provider-spot',
  IsCustom: true,
  Actions: leastOf(permissions),
  AssignableScopes: ['/subscriptions/SUBSCRIPTION'],
}

export const reference: CloudReference = {
  title: 'Azure',
  errorKinds: {
    ...errorKinds,
    ...Object.fromEntries(wordings.map(({ code, says, kind }) => [`${code} … ${says}`, kind])),
  },
  variables,
  permissions: {
    tables: permissions,
    policy: { language: 'json', text: JSON.stringify(role, undefined, 2) },
    before:
      'A custom role for the resource group of the AzureCluster. The actions of the virtual network are also needed on its resource group if that is another one. Lists cover the subscription, so grant the `read` actions there.',
  },
}
