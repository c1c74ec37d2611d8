import {
  clusterReasons,
  controlPlaneReasons,
  eventReasons,
  machineReasons,
  noticeReasons,
  noticeSourceReasons,
  pausedReasons,
  policyReasons,
  remediationReasons,
  systemCheckReasons,
  templateReasons,
  uniformReasons,
} from '../api/reasons.ts'
import { options } from '../config/options.ts'
import { series, type Label } from '../controllers/metrics/series.ts'
import { refusalKinds, refusals, type RefusalKind } from '../api/refusal.ts'
import { leastBurst } from '../providers/shared/granted-limits.ts'
import type { CloudReference } from '../providers/entry.ts'
import { clouds } from '../providers/registry.ts'
import { namesPage } from './names.ts'
import { permissionsPage } from './permissions.ts'
import { remediationPage } from './remediation.ts'
import {
  clusterRemedies,
  controlPlaneRemedies,
  eventRemedies,
  machineRemedies,
  policyRemedies,
  remediationRemedies,
  noticeRemedies,
  noticeSourceRemedies,
  replacementReasons,
  systemCheckRemedies,
  templateRemedies,
  uniformRemedies,
} from './remedies.ts'

/** One page of the reference, generated from the tables of the code. */
export interface Page {
  readonly file: string
  readonly text: string
}

const note = '<!-- Made by `npm run generate` from the tables in the code. Edits here are lost. -->'

export async function pages(): Promise<Page[]> {
  const references = await Promise.all(Object.values(clouds).map(({ reference }) => reference()))
  return [
    { file: 'options.md', text: page('Options of the manager', optionsPage()) },
    { file: 'conditions.md', text: page('Conditions and events', conditionsPage()) },
    { file: 'cloud-errors.md', text: page('How the manager handles errors of the clouds', errorsPage(references)) },
    { file: 'environment.md', text: page('Environment variables for the clouds', environmentPage(references)) },
    { file: 'metrics.md', text: page('Metrics', metricsPage()) },
    { file: 'names.md', text: page('Kinds, short names and labels', namesPage(table)) },
    { file: 'permissions.md', text: page('Permissions that the manager needs', permissionsPage(references, table)) },
    { file: 'remediation.md', text: page('How machines are replaced', remediationPage(table)) },
  ]
}

function page(title: string, body: string): string {
  return `# ${title}\n\n${note}\n\n${body.trimEnd()}\n`
}

function optionsPage(): string {
  const rows = Object.values(options).map(({ flag, variable, fallback, meaning }) => [
    code(`--${flag}`),
    code(variable),
    fallback === '' ? '' : code(fallback),
    meaning,
  ])
  return [
    'A flag overrides its variable.',
    table(['flag', 'variable', 'default', 'meaning'], rows),
    bucketsSection(),
  ].join('\n\n')
}

function bucketsSection(): string {
  const rows = Object.entries(clouds).flatMap(([cloud, { counting }]) =>
    Object.entries(counting.buckets).map(([bucket, { burst, perSecond }]) => [
      code(`${cloud}:${bucket}`),
      `${burst}/${Number(perSecond.toFixed(2))}`,
      `${leastBurst(counting, bucket)}`,
    ]),
  )
  return [
    '## The buckets of `--granted-limits`',
    'The manager counts each bucket per account and region, and on GCP per project. With an unknown bucket the manager does not start.',
    table(['bucket', 'default burst/per-second', 'minimum burst'], rows),
  ].join('\n\n')
}

function conditionsPage(): string {
  const kinds = Object.values(clouds)
  return [
    'The status of a condition is True, False or Unknown. `Ready` of a machine is Unknown while it starts or waits. It is False when the machine has failed or its instance has ended for good.',
    'To see the message of a condition: `kubectl describe spotawsm NAME`. The other kinds have similar [short names](names.md).',
    section(`\`Ready\` of ${listed(kinds.map(({ machines }) => machines.kind))}`, machineReasons, machineRemedies),
    'These kinds also have the condition `Provisioned`. It turns True when the instance begins to run, and stays True.',
    section(
      `\`Ready\`, \`OrphansFound\` and \`OwnerIdShared\` of ${listed(kinds.map(({ clusters }) => clusters.kind))}`,
      clusterReasons,
      clusterRemedies,
    ),
    section('`CapacityKnown` of machine templates', templateReasons, templateRemedies),
    section('`UniformCapacity` of machine templates', uniformReasons, uniformRemedies),
    section('`Available` of ExternalControlPlane', controlPlaneReasons, controlPlaneRemedies),
    section('`InterruptionNotice` of machines', noticeReasons, noticeRemedies),
    section('`SystemStatusCheck` of AWSMachine', systemCheckReasons, systemCheckRemedies),
    section('`NoticeSources` of infrastructure clusters', noticeSourceReasons, noticeSourceRemedies),
    section('`SpotRemediationDue` of Machines', remediationReasons, remediationRemedies),
    `The message names why the Machine is replaced: a reason of \`Ready\`, or one of these:\n\n${reasonTable(
      Object.entries(replacementReasons).map(([reason, [meaning, remedy]]) => [reason, meaning, remedy]),
    )}`,
    section('`InEffect` of InterruptionPolicy', policyReasons, policyRemedies),
    section('`Paused`', pausedReasons, {}),
    'When the reason of `Ready` changes, the manager records an event with that reason on the machine. The event is a Warning if a person should look at it. The event for `Interrupted` has the reason `SpotPreemption`.',
    section('Other events', eventReasons, eventRemedies),
  ].join('\n\n')
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function section(
  title: string,
  reasons: Readonly<Record<string, string>>,
  remedies: Readonly<Record<string, string>>,
): string {
  const rows = Object.entries(reasons).map(([reason, meaning]) => [reason, meaning, remedies[reason] ?? ''] as const)
  return `## ${title}\n\n${reasonTable(rows)}`
}

function reasonTable(rows: readonly (readonly [reason: string, meaning: string, remedy: string])[]): string {
  return table(
    ['reason', 'meaning', 'what to do'],
    rows.map(([reason, meaning, remedy]) => [code(reason), meaning, remedy]),
  )
}

function errorsPage(references: readonly CloudReference[]): string {
  const kinds = Object.entries(refusals).map(([kind, { action, failsWith, excludes }]) => [
    code(kind),
    action.do === 'fail'
      ? `The machine fails once, with reason ${code(failsWith)}.${excludes === 'subnet' ? ' Before that, the manager tries the other subnets that fit.' : ''}`
      : action.do === 'hold'
        ? `Reason ${code(action.reason)}. The manager repeats the request after a pause of ${holdPause(action.afterMs / 60_000)} min.`
        : `Reason ${code(action.reason)}. The manager repeats the request after a pause that grows from 1 s to 5 min.`,
  ])
  const sections = references.flatMap(({ title, errorKinds }) => [`## ${title}`, codesTable(errorKinds)])
  return [
    table(['kind', 'at launch'], kinds),
    'With [`fallback`](fallback.md) a machine that would fail asks for something else instead, except after `ended`.',
    'Other codes count as `transient` errors of a single machine. HTTP 5xx and missing answers count as `ambiguous`.',
    ...sections,
  ].join('\n\n')
}

/** A pause grows to five minutes, whatever the shortest is. */
function holdPause(minutes: number): string {
  return minutes < 5 ? `${minutes} to 5` : `${minutes}`
}

function codesTable(kinds: Readonly<Record<string, RefusalKind>>): string {
  const byKind = Map.groupBy(Object.entries(kinds), ([, kind]) => kind)
  const rows = refusalKinds.flatMap((kind) => {
    const list = byKind.get(kind) ?? []
    return list.length === 0 ? [] : [[code(kind), list.map(([name]) => code(name)).join(', ')]]
  })
  return table(['kind', 'codes'], rows)
}

function environmentPage(references: readonly CloudReference[]): string {
  const sections = references.map(({ title, variables }) => {
    const rows = Object.entries(variables).map(([name, meaning]) => [code(name), meaning])
    return `## ${title}\n\n${table(['variable', 'meaning'], rows)}`
  })
  return [
    'The manager reads the usual environment variables of each cloud. A cloud without machines needs no variables.',
    ...sections,
  ].join('\n\n')
}

function metricsPage(): string {
  const rows = Object.values(series).map(({ name, type, help, labels }) => [code(name), type, help, labelsOf(labels)])
  return table(['series', 'type', 'meaning', 'labels'], rows)
}

function labelsOf(labels: Readonly<Record<string, Label>>): string {
  return Object.entries(labels)
    .map(([name, { meaning }]) => `${code(name)}: ${meaning}`)
    .join('<br>')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}
