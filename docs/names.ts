import path from 'node:path'
import { interrupted, nodeLabels, outOfService } from '../api/labels.ts'
import { readDefinitions } from '../crds/definition.ts'

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => string

const definitions = readDefinitions(path.join(import.meta.dirname, '..', 'crds'))

const meanings: Readonly<Record<keyof typeof nodeLabels, string>> = {
  capacityType: 'Spot, OnDemand or Reserved: what was bought.',
  instanceType: 'The instance type, VM size, machine type or profile.',
  pool: 'Capacity type, instance type and zone, with dots between them.',
  interruptible: 'Present (and empty) where the cloud may take the instance back. Cluster API sets the same label.',
}

/** docs/names.md: names to type, and labels to select by. */
export function namesPage(table: Table): string {
  const kinds = definitions.map(({ spec: { names } }) => [
    names.kind,
    `\`kubectl get ${names.shortNames?.[0] ?? ''}\``,
    `\`${names.plural}.spot.cluster.x-k8s.io\``,
  ])
  const labels = Object.entries(nodeLabels).map(([name, key]) => [
    `\`${key}\``,
    meanings[name as keyof typeof nodeLabels],
  ])
  return [
    '`kubectl get cluster-api` shows all of them, with the objects of Cluster API.',
    'Where the cloud has its own provider beside this one, both have kinds of the same name. `kubectl get awsmachines` then shows the machines of the other provider. Type the short name or the full name instead.',
    '## Kinds',
    table(['kind', 'short name', 'full name'], kinds),
    'CapacityPool has no namespace: [what the clouds have](capacity-pools.md). All others have one.',
    '## Labels on Nodes',
    'The manager writes these labels to the Node of each running instance. Use them in node selectors, affinities and topology spread constraints.',
    table(['label', 'value'], labels),
    `While an instance is off, its Node also has the taint \`${outOfService.key}=${outOfService.value}:${outOfService.effect}\`. Kubernetes then ends the pods and detaches their volumes at once.`,
    `After a notice that an instance ends, its Node has the taint \`${interrupted.key}=${interrupted.value}:${interrupted.effect}\` and takes no further Pods: [what happens on a notice](interruption.md).`,
    '## Defaults',
    'A field of a machine that you leave out stays empty in the object. The description of the field says what is used instead: `kubectl explain spotawsm.spec.rootVolume`.',
  ].join('\n\n')
}
