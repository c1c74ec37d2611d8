import path from 'node:path'
import { annotations, core, machineLabels, outOfService, remediationDue } from '../api/labels.ts'
import { fieldsOf, readDefinitions, schemaOf, type Schema } from '../crds/definition.ts'
import { dueValues } from '../api/rules/marks.ts'
import { waitingAtOnce } from '../api/rules/turns.ts'
import { healthCheckName } from '../controllers/remediation/health-check.ts'
import { refusals, type LaneNames } from '../api/rules/outcome.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

/** How Machines are replaced: prose, with what can be read off the code in tables. */
export function remediationPage(table: Table): string {
  return [
    `Cluster API replaces a Machine when a MachineHealthCheck finds it unhealthy, at once and as often as it is asked: where a cloud has no capacity it deletes and creates a Machine every 15 s, for ever. So the manager keeps a MachineHealthCheck of its own for each Cluster, \`${healthCheckName('<cluster>')}\`, that finds nothing but the label \`${machineLabels.remediationDue}\` with the condition \`${remediationDue}\`, and puts these on a Machine only when its replacement is due. Everything that Cluster API has to say about it holds: the MachineDeployment's \`spec.remediation.maxInFlight\`, paused objects, a Cluster that is out of reach.`,
    '## Who is replaced when',
    `- **At once**: an instance that ran for \`minHealthySeconds\` and was taken back, stopped, was terminated or vanished, and a Machine whose infra machine somebody deleted (before it had come up: when the Machine is five minutes old). Any number of them; of one MachineDeployment ${waitingAtOnce} at a time wait for their removal, and the next follow as those go.
- **After a pause**: a launch that the cloud refused, an instance that it did not start within a quarter of an hour or that ended too soon, and one whose Node does not come. What fails alike shares one pause, whatever the number of Machines; the table says what is alike. When it is over one Machine is replaced, to try it for all. If that fails too the pause doubles. If it comes up two others follow at once, and twice as many with every wave, which is 15 s later (or after the first pause, where that is shorter), until one is refused: capacity often comes back by the piece.
- **Never**: a Machine of a control plane; one that no MachineSet owns, for nobody would make another; one with \`${core.skipRemediation}\` of somebody else; anything paused.`,
    table(
      ['reason', 'what shares the pause'],
      Object.entries({ ...refusals, ...timeouts }).map(([reason, lane]) => [`\`${reason}\``, shared[lane]]),
    ),
    `The Machine's condition says what happens next: \`InsufficientCapacity: m5.large spot in us-east-1a; next try 14:32:10 UTC, attempt 4.\` What is remembered stands in the annotation \`${annotations.backoff}\` of the MachineDeployment (or of a MachineSet of its own), so that a restart and \`clusterctl move\` go on where they were. A MachineDeployment with another template begins anew with what its template asks for.`,
    '## InterruptionPolicy',
    'Per Cluster and selector; the oldest that selects a Machine wins, and the younger one says so in its condition `InEffect`. Without one the defaults hold.',
    table(['field', 'default', 'meaning'], policyFields()),
    '## Health checks of your own',
    `They may select the same Machines. While one of those comes up or waits, the manager puts \`${core.skipRemediation}: backing-off\` on it, or your health check would get round the pause; it is taken off when the Node is there, when the replacement is due, and when nothing has come of the Machine for so long that nobody should wait for it. Where a policy says \`healthCheck: None\`, the Machines that go by it get the label with the value \`${dueValues.unmanaged}\`, which the managed one passes over: yours has to select that, with the condition above. The managed one is removed when no Machine needs it. Whoever takes the label \`${machineLabels.managed}\` off it has made it their own, and an event on the Cluster says so.`,
    '## What holds up a removal',
    `- An instance that has ended is not drained: the Machine gets \`${core.excludeNodeDraining}\` and \`${core.excludeVolumeDetach}\`, since its kubelet ends no pod any more. They are taken off again if the instance runs after all.
- Once the cloud shows the instance as stopped or terminated its Node gets the taint \`${outOfService.key}=${outOfService.value}:${outOfService.effect}\`: Kubernetes then releases its volumes at once instead of after six minutes. Not before, for what still runs still writes. If somebody starts that instance again, the taint is taken off.
- A workload cluster that does not answer stops the drain, the wait for volumes and the removal of the Node, each for as long as it takes unless it is bounded: so \`spec.deletion\` of every Machine should have \`nodeDrainTimeoutSeconds\`, \`nodeVolumeDetachTimeoutSeconds\` and \`nodeDeletionTimeoutSeconds\`, as the [examples](../examples) have. What is not bounded keeps an instance, and its bill.`,
  ].join('\n\n')
}

/** What is no reason of Ready, for the cloud has not refused it. */
const timeouts = { LaunchTimeout: 'launch', StartTimeout: 'pool', NodeMissing: 'node' } as const

const shared: Readonly<Record<keyof LaneNames, string>> = {
  pool: 'Machines of this instance type, zone and capacity type in the account; so for an instance that ended too soon',
  price: 'Machines of this instance type, zone, capacity type and maximum price in the account',
  quota: 'Machines of this capacity type in the account and region',
  launch: 'Machines of this MachineDeployment and template',
  node: 'Machines of this MachineDeployment and template',
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
