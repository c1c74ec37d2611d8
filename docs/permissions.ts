import type { CloudReference } from '../providers/entry.ts'
import type { Permissions } from '../providers/permissions.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

/** docs/permissions.md, from the tables of calls. */
export function permissionsPage(references: readonly CloudReference[], table: Table): string {
  return [
    'The least that the manager needs in each cloud. The tables list every call that it makes; a test compares them with what the simulators recorded. The policies were not tried on a real cloud.',
    'A refused call shows as the reason `CredentialsDenied` on the machines and on the infrastructure cluster. The message has the words of the cloud.',
    ...references.flatMap(({ title, permissions: { tables, policy, before, after } }) => [
      `## ${title}`,
      ...(before ? [before] : []),
      `\`\`\`${policy.language}\n${policy.text}\n\`\`\``,
      ...(after ? [after] : []),
      tablesOf(tables, table),
    ]),
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
