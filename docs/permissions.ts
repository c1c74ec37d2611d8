import { permissions as aws } from '../providers/aws/wire/permissions.ts'
import { permissions as azure } from '../providers/azure/wire/permissions.ts'
import { permissions as gcp } from '../providers/gcp/wire/permissions.ts'
import { permissions as ibm } from '../providers/ibm/wire/permissions.ts'
import { leastOf, type Permissions } from '../providers/permissions.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

/** docs/permissions.md, from the tables of calls. */
export function permissionsPage(table: Table): string {
  return [
    'The least that the manager needs in each cloud. The tables list every call that it makes; a test compares them with what the simulators recorded. The policies were not tried on a real cloud.',
    'A refused call shows as the reason `CredentialsDenied` on the machines and on the infrastructure cluster. The message has the words of the cloud.',
    `## AWS\n\n${fenced('json', JSON.stringify(awsPolicy(), undefined, 2))}`,
    'To narrow it down, limit `ec2:TerminateInstances` to instances that have a tag `spot.cluster.x-k8s.io/owner-id`, and `iam:PassRole` to the roles of your workers.',
    tablesOf(aws, table),
    `## Azure\n\nA custom role for the resource group of the AzureCluster. The actions of the virtual network are also needed on its resource group if that is another one. Lists cover the subscription, so grant the \`read\` actions there.\n\n${fenced('json', JSON.stringify(azureRole(), undefined, 2))}`,
    tablesOf(azure, table),
    `## Google Cloud\n\nA custom role in the project:\n\n${fenced('yaml', gcpRole())}`,
    tablesOf(gcp, table),
    `## IBM Cloud\n\nActions of VPC Infrastructure Services. The platform roles Editor and Viewer of that service include them.\n\n${fenced('text', leastOf(ibm).join('\n'))}`,
    tablesOf(ibm, table),
  ].join('\n\n')
}

function tablesOf({ calls, besides }: Permissions, table: Table): string {
  const listed = (needs: readonly string[]) => needs.map((one) => `\`${one}\``).join(', ') || 'nothing'
  return [
    table(
      ['call', 'needs'],
      Object.entries(calls).map(([call, needs]) => [`\`${call}\``, listed(needs)]),
    ),
    table(
      ['if', 'also needs'],
      besides.map(({ when, needs }) => [when, listed(needs)]),
    ),
  ].join('\n\n')
}

function awsPolicy(): object {
  const alone = leastOf(aws).filter((action) => action !== 'ec2:CreateTags')
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

function azureRole(): object {
  return {
    Name: 'cluster-api-provider-spot',
    IsCustom: true,
    Actions: leastOf(azure),
    AssignableScopes: ['/subscriptions/SUBSCRIPTION'],
  }
}

function gcpRole(): string {
  return ['title: cluster-api-provider-spot', 'includedPermissions:', ...leastOf(gcp).map((one) => `- ${one}`)].join(
    '\n',
  )
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}
