import path from 'node:path'
import { annotations, core, machineLabels, outOfService, remediationDue } from '../api/labels.ts'
import { fieldsOf, readDefinitions, schemaOf, type Schema } from '../crds/definition.ts'
import { dueValues } from '../api/rules/markers.ts'
import { waitingAtOnce } from '../api/rules/batch.ts'
import { healthCheckName } from '../controllers/remediation/health-check.ts'
import { ends, groupOfRefusal, type BackoffGroupNames } from '../api/rules/outcome.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

/** docs/remediation.md: prose, with tables from the code. */
export function remediationPage(table: Table): string {
  return [
    introduction,
    '## When a Machine is replaced',
    whenReplaced,
    '## Machines that share a pause',
    table(
      ['reason', 'Machines that share the pause'],
      [
        ...rowsOf({ ...groupOfRefusal, ...timeouts }),
        ...rowsOf({ ...ends, InterruptionNotice: 'offering' }, ', before `minHealthySeconds`'),
      ],
    ),
    pauses,
    '## InterruptionPolicy',
    'An InterruptionPolicy applies to the Machines of one Cluster that its selector matches. If several policies match a Machine, the oldest applies; the others report `InEffect=False`. With no matching policy, the defaults below apply.',
    table(['field', 'default', 'meaning'], policyFields()),
    '## Your own health checks',
    ownHealthChecks,
    '## What delays a deletion',
    whatDelays,
    '## Remove',
    removal,
  ].join('\n\n')
}

const introduction = [
  'Cluster API replaces a Machine as soon as a MachineHealthCheck reports it as unhealthy, with no pause between retries. If the cloud has no capacity, it would delete and create a Machine every 15 seconds, forever.',
  `For each Cluster the manager creates a MachineHealthCheck named \`${healthCheckName('<cluster>')}\`. It matches only Machines that have the label \`${machineLabels.remediationDue}\` and the condition \`${remediationDue}\`. The manager sets both when a Machine should be replaced, and Cluster API then deletes the Machine and creates another.`,
  'The rules of Cluster API still apply: `spec.remediation.maxInFlight` of the MachineDeployment, paused objects, and an unreachable workload cluster.',
].join('\n\n')

const whenReplaced = [
  '- **On a notice**: the Machine is deleted while its instance still runs, without a health check. See [interruption.md](interruption.md).',
  `- **At once**: an instance that ran for at least \`minHealthySeconds\` and was then reclaimed, stopped, terminated or deleted. There is no overall limit. Per MachineDeployment, at most ${waitingAtOnce} Machines are marked for deletion at the same time.`,
  '- **At once**: a Machine whose infrastructure machine was deleted. If that happened before the instance was provisioned, the Machine is replaced when it is five minutes old.',
  '- **As planned**, one at a time for each MachineDeployment: with `onRebalance: Replace`, with `maxLifetimeSeconds`, and a `preemptible` instance of GCP before its 24 hours are over. See [interruption.md](interruption.md#planned-replacements).',
  '- **After a pause**: a launch that the cloud refused or did not answer, or an instance that did not start within 15 minutes.',
  '- **After a pause**: an instance that ended before `minHealthySeconds`, or whose Node did not appear within `nodeStartupSeconds`.',
  `- **Never**: a control plane Machine, a Machine that no MachineSet owns, a Machine with the annotation \`${core.skipRemediation}\` set by someone else, and anything paused.`,
].join('\n')

const pauses = [
  'When the pause is over, one Machine is replaced as a retry for all Machines that share the pause. If the retry fails, the pause doubles, up to `backoff.maxSeconds`. If the retry succeeds, two more Machines are retried immediately, then 2, 4, 8, ... every 15 seconds, until the cloud refuses one. Capacity often returns gradually. With `backoff.initialSeconds` below 15, the steps follow each other that quickly.',
  "The manager shares what it learns about an offering between all Clusters in an account: a failure, a success, a retry in progress. Each Cluster computes its own pause from this with its own policy. No other tenant's policy or annotation can make your pause longer.",
  'A new Machine takes part, before its first request. While a pause for its offering or price lasts, it requests nothing, and `Ready` is Unknown with `CapacityBackoff`. After the pause one of those that wait is the retry, before a failed Machine is replaced for it. Without [fallback](fallback.md) a Machine waits for at most `backoff.maxSeconds`, then it requests its instance in any case. With it the Machine waits until it may ask for something. Control plane Machines do not wait.',
  'The condition on the Machine says what happens next, for example: `InsufficientCapacity: m5.large spot in us-east-1a; next try 14:32:10 UTC, attempt 4.`',
  `The manager stores failures in the annotation \`${annotations.backoff}\` of the infrastructure cluster, such as the AWSCluster. The pauses therefore continue after a restart or \`clusterctl move\`. If you change the template of a MachineDeployment, the pauses for its launch and Node failures start again.`,
].join('\n\n')

const ownHealthChecks = [
  `Your own MachineHealthCheck may select the same Machines. While such a Machine starts or waits for a retry, the manager sets the annotation \`${core.skipRemediation}: backing-off\`; otherwise your health check would replace it without the pause. The manager removes the annotation when the Node appears or when the Machine should be replaced. If the manager has no information about a Machine, it does not block your health check.`,
  `If a policy says \`healthCheck: None\`, its Machines get the label with the value \`${dueValues.unmanaged}\`, and the managed health check ignores them. Your own health check must select that label and value, and check the condition. The manager deletes its health check when no Machine needs it.`,
  `If someone edits its health check, the manager restores the fields that it has set in \`spec.selector\`, \`spec.checks\` and \`spec.remediation\`. It leaves all else alone. If something changes them back each time, the manager waits up to ten minutes between corrections and records the event \`HealthCheckContested\` on the Cluster. To take over the health check, remove the label \`${machineLabels.managed}\`. The manager then stops managing it and records an event on the Cluster.`,
].join('\n\n')

const whatDelays = [
  `- An ended instance is not drained, because no kubelet is left to stop the Pods. The manager sets \`${core.excludeNodeDraining}\` and \`${core.excludeVolumeDetach}\` on the Machine. It removes them if the instance runs after all.`,
  `- When the cloud reports an instance as stopped or terminated, its Node gets the taint \`${outOfService.key}=${outOfService.value}:${outOfService.effect}\`. Kubernetes then releases the volumes at once instead of after six minutes. The manager never sets the taint earlier, because a running instance still writes. It removes the taint if someone starts the instance again.`,
  '- An unreachable workload cluster blocks the drain, the volume detachment and the Node deletion. Set `nodeDrainTimeoutSeconds`, `nodeVolumeDetachTimeoutSeconds` and `nodeDeletionTimeoutSeconds` in `spec.deletion` of every Machine, as the [examples](../examples) do. Without these limits, an instance can stay, and cost money, for as long as the workload cluster is unreachable.',
].join('\n')

const removal = [
  `Without the manager, nobody removes the annotation \`${core.skipRemediation}: backing-off\`. The same happens if you exclude a Cluster with \`--watch-filter\` or \`--namespace\`. No health check looks at these Machines anymore. List them and remove the annotation:`,
  '```\n' +
    `kubectl get machines -A -o json | jq -r '.items[] | select(.metadata.annotations["${core.skipRemediation}"] == "backing-off") | "\\(.metadata.namespace) \\(.metadata.name)"'\n` +
    `kubectl annotate machine -n NAMESPACE NAME ${core.skipRemediation}-\n` +
    '```',
  `The health check named \`${healthCheckName('<cluster>')}\` stays until its Cluster is deleted. It replaces a Machine only if the label and the condition are already set. To delete all of them: \`kubectl delete machinehealthchecks -A -l ${machineLabels.managed}\`.`,
].join('\n\n')

/** Not a reason of Ready: the cloud has not refused anything. */
const timeouts = { LaunchTimeout: 'launch', StartTimeout: 'offering', NodeMissing: 'node' } as const

type OneGroup = Exclude<keyof BackoffGroupNames, 'others'>

const shared: Readonly<Record<OneGroup, string>> = {
  offering: 'Machines with the same instance type, zone and capacity type, in the same account and region',
  price: 'Machines with the same instance type, zone, capacity type and maximum price, in the same account and region',
  quota: 'Machines of the same quota and capacity type that are as large or larger, in the same account and region',
  launch: 'Machines of the same MachineDeployment and template',
  node: 'Machines of the same MachineDeployment and template',
}

function rowsOf(groups: Readonly<Record<string, OneGroup>>, when = ''): string[][] {
  return Object.entries(groups).map(([reason, group]) => [`\`${reason}\`${when}`, shared[group]])
}

function policyFields(): string[][] {
  const definitions = readDefinitions(path.join(import.meta.dirname, '..', 'crds'))
  const policy = definitions.find(({ spec }) => spec.names.kind === 'InterruptionPolicy')
  const spec = policy && schemaOf(policy).properties?.['spec']
  const isEntry = (field: string) => /\[\]|\*|^selector\.|^$/.test(field)
  return [...fieldsOf(spec ?? {})]
    .filter(({ path: field }) => !isEntry(field))
    .map(({ path: field, schema }) => [`\`${field}\``, defaultOf(schema), schema.description ?? ''])
}

function defaultOf(schema: Schema): string {
  const value = schema['default']
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : ''
}
