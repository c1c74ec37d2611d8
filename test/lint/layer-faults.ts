import type { Fault } from './fault.ts'

const rule = 'eslint(no-restricted-imports)'

/** Imports against the arrows: who, what. */
const arrows: [path: string, specifier: string][] = [
  ['api/to-providers.ts', '../providers/instances.ts'],
  ['api/to-controllers.ts', '../controllers/runtime/controller/result.ts'],
  ['api/to-test.ts', '../test/support/fakes/fake-clock.ts'],
  ['api/rules/to-providers.ts', '../../providers/instances.ts'],
  ['api/to-node.ts', 'node:fs'],
  ['api/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['providers/to-controllers.ts', '../controllers/runtime/controller/result.ts'],
  ['providers/to-test.ts', '../test/support/fakes/fake-clock.ts'],
  ['providers/to-cloud.ts', './aws/instances.ts'],
  ['providers/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['providers/fleet/to-cloud.ts', '../aws/instances.ts'],
  ['providers/wire/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['providers/aws/to-controllers.ts', '../../controllers/runtime/controller/result.ts'],
  ['providers/aws/to-test.ts', '../../test/support/fakes/fake-clock.ts'],
  ['providers/aws/to-other-cloud.ts', '../gcp/instances.ts'],
  ['providers/aws/to-other-cloud-from-root.ts', '../../providers/gcp/instances.ts'],
  ['providers/aws/to-other-sdk.ts', '@google-cloud/compute'],
  ['providers/gcp/to-other-cloud.ts', '../aws/instances.ts'],
  ['providers/gcp/to-other-sdk.ts', '@aws-sdk/client-ec2'],
  ['controllers/machine/to-cloud.ts', '../../providers/aws/instances.ts'],
  ['controllers/machine/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['controllers/machine/to-test.ts', '../../test/support/fakes/fake-clock.ts'],
  ['controllers/cluster/to-machine.ts', '../machine/pass.ts'],
  ['controllers/machine/to-manager.ts', '../manager/manager.ts'],
  ['controllers/machine/steps/to-node.ts', '../../node/node-writer.ts'],
  ['controllers/machine/steps/to-metrics.ts', '../../metrics/series.ts'],
  ['controllers/metrics/to-machine.ts', '../machine/pass.ts'],
  ['controllers/node/to-remediation.ts', '../remediation/facts.ts'],
  ['controllers/remediation/to-template.ts', '../template/template.ts'],
  ['controllers/template/to-cluster.ts', '../cluster/claims.ts'],
  ['controllers/template/to-controlplane.ts', '../controlplane/probe.ts'],
  ['controllers/shared/to-machine.ts', '../machine/pass.ts'],
  ['controllers/shared/to-agent.ts', '../agent/watch.ts'],
  ['controllers/workload/to-node.ts', '../node/node-writer.ts'],
  ['controllers/capacity/to-manager.ts', '../manager/manager.ts'],
  ['controllers/agent/to-client.ts', '../runtime/client/client.ts'],
  ['controllers/agent/to-shared.ts', '../shared/nodes.ts'],
  ['controllers/agent/to-node.ts', '../node/node-writer.ts'],
  ['controllers/agent/to-manager.ts', '../manager/manager.ts'],
  ['controllers/agent/to-providers.ts', '../../providers/instances.ts'],
  ['controllers/agent/to-config.ts', '../../config/options.ts'],
  ['controllers/agent/to-test.ts', '../../test/fake-clock.ts'],
  ['controllers/agent/to-timers.ts', 'node:timers/promises'],
  ['controllers/agent/to-package.ts', 'undici'],
  ['controllers/agent/to-package-of-n.ts', 'node-fetch'],
  ['controllers/runtime/cache/to-kinds.ts', '../../../api/kinds.ts'],
  ['controllers/runtime/cache/to-generated.ts', '../../../api/generated/aws-machine.ts'],
  ['controllers/runtime/cache/to-providers.ts', '../../../providers/instances.ts'],
  ['controllers/runtime/cache/to-reconciler.ts', '../../machine/reconcile.ts'],
  ['controllers/runtime/cache/to-metrics.ts', '../../metrics/series.ts'],
  ['controllers/runtime/cache/to-manager.ts', '../../manager/manager.ts'],
  ['controllers/runtime/cache/to-sdk.ts', '@aws-sdk/client-ec2'],
]

const ways: { name: string; by: (specifier: string) => string }[] = [
  { name: 'import', by: (from) => `import { thing } from '${from}'\n\nexport const it: unknown = thing\n` },
  { name: 'type', by: (from) => `import type { Thing } from '${from}'\n\nexport type It = Thing[]\n` },
  { name: 'dynamic', by: (from) => `export const it: Promise<unknown> = import('${from}')\n` },
]

const sourceFaults: Fault[] = arrows.flatMap(([path, specifier]) =>
  ways.map(({ name, by }) => ({
    what: `${path} imports ${specifier} (${name})`,
    path: path.replace(/\.ts$/, `-${name}.ts`),
    source: by(specifier),
    rule,
  })),
)

/** Tests beside the source may use what is in test/; the other arrows hold for them too. */
const testFaults: Fault[] = [
  { path: 'api/up.test.ts', to: '../providers/instances.ts' },
  { path: 'providers/up.test.ts', to: '../controllers/runtime/controller/result.ts' },
  { path: 'providers/registry.test.ts', to: '../controllers/runtime/controller/result.ts' },
  { path: 'providers/fleet/up.test.ts', to: '../aws/instances.ts' },
  { path: 'providers/aws/aside.test.ts', to: '../gcp/instances.ts' },
  { path: 'controllers/machine/down.test.ts', to: '../../providers/aws/instances.ts' },
  { path: 'controllers/machine/aside.test.ts', to: '../node/node-writer.ts' },
  { path: 'controllers/agent/aside.test.ts', to: '../runtime/client/client.ts' },
  { path: 'controllers/runtime/cache/aside.test.ts', to: '../../../api/kinds.ts' },
].map(({ path, to }) => ({
  what: `${path} imports ${to}`,
  path,
  source: `import { thing } from '${to}'\n\nexport const it: unknown = thing\n`,
  rule,
}))

export const layerFaults: Fault[] = [...sourceFaults, ...testFaults]
