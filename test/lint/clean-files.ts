/** Correct files that a rule must leave alone. */
export const cleanFiles: { path: string; source: string }[] = [
  { path: 'api/ctx.ts', source: 'export interface Ctx {\n  readonly now: () => number\n}\n' },
  { path: 'api/parsed-date.ts', source: 'export const at = new Date(0).toISOString()\n' },
  {
    path: 'api/beside.test.ts',
    source: "import { FakeClock } from '../test/fake-clock.ts'\n\nexport const clock: unknown = FakeClock\n",
  },
  { path: 'providers/instances.ts', source: "import type { Ctx } from '../api/ctx.ts'\n\nexport type It = Ctx[]\n" },
  {
    path: 'providers/registry.ts',
    source: "export const load: () => Promise<unknown> = () => import('./aws/instances.ts')\n",
  },
  {
    path: 'providers/aws/instances.ts',
    source:
      "import type { EC2Client } from '@aws-sdk/client-ec2'\nimport type { It } from '../instances.ts'\n\nexport type Both = [EC2Client, It]\n",
  },
  {
    path: 'providers/fleet/poll.test.ts',
    source: "import { FakeClock } from '../support/fakes/fake-clock.ts'\n\nexport const clock: unknown = FakeClock\n",
  },
  {
    path: 'controllers/machine/reconcile.ts',
    source:
      "import type { It } from '../../providers/instances.ts'\nimport { clock } from '../runtime/clock.ts'\n\nexport const all: [It[], unknown] = [[], clock]\n",
  },
  {
    path: 'controllers/machine/launch/node.ts',
    source:
      "import type { Node } from '../../../api/machine.ts'\nimport type { Nodes } from '../../shared/nodes.ts'\nimport type { ClusterRef } from '../../workload/secret.ts'\nimport type { Pass } from '../pass.ts'\n\nexport type All = [Node, Nodes, ClusterRef, Pass]\n",
  },
  {
    path: 'controllers/manager/manager.ts',
    source:
      "import type { Pass } from '../machine/pass.ts'\nimport type { NodeWriter } from '../node/node-writer.ts'\n\nexport type All = [Pass, NodeWriter]\n",
  },
  {
    path: 'controllers/agent/main.ts',
    source:
      "import { readFile } from 'node:fs/promises'\nimport type { Node } from '../../api/machine.ts'\nimport type { Notice } from './notice.ts'\n\nexport type All = [Node, Notice]\nexport const read = readFile\n",
  },
  {
    path: 'controllers/agent/main.test.ts',
    source: "import { expect } from 'vitest'\n\nexport const it: unknown = expect\n",
  },
  {
    path: 'controllers/runtime/process/clock.ts',
    source:
      'export const clock = { now: () => Date.now(), after: (ms: number, run: () => void) => setTimeout(run, ms) }\n',
  },
  {
    path: 'controllers/runtime/controller/result.ts',
    source: "import type { Ctx } from '../../api/ctx.ts'\n\nexport type Step = (ctx: Ctx) => 'done'\n",
  },
  {
    path: 'test/support/fakes/fake-clock.ts',
    source:
      "import { setTimeout } from 'node:timers/promises'\n\nexport const FakeClock = setTimeout\nconsole.log(Date.now())\n",
  },
  {
    path: 'api/short-sentences.ts',
    source: `export const f = (name: string) => \`A first sentence. ${'word '.repeat(28)}\${name}.\` +\n  ' And a last one.'\n`,
  },
  { path: 'lint.config.ts', source: 'export default { rules: {} }\n' },
]
