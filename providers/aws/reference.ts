import type { CloudReference } from '../entry.ts'
import { leastOf } from '../permissions.ts'
import { variables } from './variables.ts'
import { errorKinds } from './wire/errors.ts'
import { permissions } from './wire/permissions.ts'

export const reference: CloudReference = {
  title: 'AWS',
  errorKinds,
  variables,
  permissions: {
    tables: permissions,
    policy: { language: 'json', text: JSON.stringify(policy(), undefined, 2) },
    after:
      'To narrow it down, limit `ec2:TerminateInstances` to instances that have a tag `spot.cluster.x-k8s.io/owner-id`, and `iam:PassRole` to the roles of your workers.',
  },
}

function policy(): object {
  const alone = leastOf(permissions).filter((action) => action !== 'ec2:CreateTags')
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: alone, Resource: '*' },
      {
        Effect: 'Allow',
        Action: 'ec2:CreateTags',
        Resource: '*',
        Condition: { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
      },
    ],
  }
}
