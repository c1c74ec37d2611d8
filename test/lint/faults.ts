/** One file with one fault, and the rule that has to report it: that rule, and no other. */
export interface Fault {
  /** What somebody did. */
  what: string
  /** Where in the tree. */
  path: string
  source: string
  rule: string
}

const globalTime = 'eslint(no-restricted-globals)'
const propertyTime = 'eslint(no-restricted-properties)'
const newDate = 'clock(no-global-date)'
const layer = 'eslint(no-restricted-imports)'

/** Ways to the global clock. */
const clocks = [
  { name: 'date-now', use: 'export const at = Date.now()', rule: propertyTime },
  { name: 'new-date', use: 'export const at = new Date()', rule: newDate },
  { name: 'date-call', use: 'export const at = Date()', rule: newDate },
  { name: 'set-timeout', use: 'export const timer = setTimeout(String, 1)', rule: globalTime },
  { name: 'set-interval', use: 'export const timer = setInterval(String, 1)', rule: globalTime },
  { name: 'set-immediate', use: 'export const timer = setImmediate(String)', rule: globalTime },
  { name: 'global-timeout', use: 'export const timer = globalThis.setTimeout(String, 1)', rule: propertyTime },
  { name: 'global-interval', use: 'export const timer = globalThis.setInterval(String, 1)', rule: propertyTime },
  { name: 'global-immediate', use: 'export const timer = globalThis.setImmediate(String)', rule: propertyTime },
  { name: 'global-performance', use: 'export const at = globalThis.performance', rule: propertyTime },
  { name: 'performance', use: 'export const at = performance.now()', rule: globalTime },
  { name: 'hrtime', use: 'export const at = process.hrtime.bigint()', rule: propertyTime },
  { name: 'abort-timeout', use: 'export const signal = AbortSignal.timeout(1)', rule: propertyTime },
  { name: 'node-timers', use: "export { setTimeout } from 'node:timers'", rule: layer },
  { name: 'timers', use: "import { setTimeout } from 'timers'\n\nexport const wait = setTimeout", rule: layer },
  {
    name: 'node-timers-promises',
    use: "import { setTimeout } from 'node:timers/promises'\n\nexport const wait = setTimeout",
    rule: layer,
  },
  {
    name: 'perf-hooks',
    use: "import { performance } from 'node:perf_hooks'\n\nexport const at = performance.now()",
    rule: layer,
  },
]

const clockFaults: Fault[] = [
  'api',
  'providers',
  'providers/fleet',
  'providers/aws',
  'controllers/machine',
  'controllers/runtime',
].flatMap((folder) =>
  clocks.map(({ name, use, rule }) => ({
    what: `${folder} reads the global clock by ${name}`,
    path: `${folder}/${name}.ts`,
    source: `${use}\n`,
    rule,
  })),
)

/** Imports against the arrows: who, what. */
const arrows: [path: string, specifier: string][] = [
  ['api/to-providers.ts', '../providers/instances.ts'],
  ['api/to-controllers.ts', '../controllers/runtime/next.ts'],
  ['api/to-test.ts', '../test/fake-clock.ts'],
  ['api/rules/to-providers.ts', '../../providers/instances.ts'],
  ['api/to-node.ts', 'node:fs'],
  ['api/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['providers/to-controllers.ts', '../controllers/runtime/next.ts'],
  ['providers/to-test.ts', '../test/fake-clock.ts'],
  ['providers/to-cloud.ts', './aws/instances.ts'],
  ['providers/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['providers/registry.ts', '../controllers/machine/reconcile.ts'],
  ['providers/fleet/to-cloud.ts', '../aws/instances.ts'],
  ['providers/wire/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['providers/aws/to-controllers.ts', '../../controllers/runtime/next.ts'],
  ['providers/aws/to-test.ts', '../../test/fake-clock.ts'],
  ['providers/aws/to-other-cloud.ts', '../gcp/instances.ts'],
  ['providers/aws/to-other-cloud-from-root.ts', '../../providers/gcp/instances.ts'],
  ['providers/aws/to-other-sdk.ts', '@google-cloud/compute'],
  ['providers/gcp/to-other-cloud.ts', '../aws/instances.ts'],
  ['providers/gcp/to-other-sdk.ts', '@aws-sdk/client-ec2'],
  ['controllers/machine/to-cloud.ts', '../../providers/aws/instances.ts'],
  ['controllers/machine/to-sdk.ts', '@aws-sdk/client-ec2'],
  ['controllers/machine/to-test.ts', '../../test/fake-clock.ts'],
  ['controllers/runtime/to-kinds.ts', '../../api/kinds.ts'],
  ['controllers/runtime/to-generated.ts', '../../api/generated/aws-machine.ts'],
  ['controllers/runtime/to-providers.ts', '../../providers/instances.ts'],
  ['controllers/runtime/to-reconciler.ts', '../machine/reconcile.ts'],
  ['controllers/runtime/to-sdk.ts', '@aws-sdk/client-ec2'],
]

const ways: { name: string; by: (specifier: string) => string }[] = [
  { name: 'import', by: (from) => `import { thing } from '${from}'\n\nexport const it: unknown = thing\n` },
  { name: 'type', by: (from) => `import type { Thing } from '${from}'\n\nexport type It = Thing[]\n` },
  { name: 'dynamic', by: (from) => `export const it: Promise<unknown> = import('${from}')\n` },
]

const arrowFaults: Fault[] = arrows.flatMap(([path, specifier]) =>
  ways.map(({ name, by }) => ({
    what: `${path} imports ${specifier} (${name})`,
    path: path.replace(/\.ts$/, `-${name}.ts`),
    source: by(specifier),
    rule: layer,
  })),
)

/** Against the house rules, wherever it stands. */
const house: { rule: string; what: string; path?: string; source: string }[] = [
  {
    rule: 'eslint(complexity)',
    what: 'a function of 13 ways',
    source: `export function f(n: number): string {\n${lines(12, (i) => `  if (n === ${i}) return '${i}'`)}\n  return ''\n}\n`,
  },
  {
    rule: 'eslint(max-params)',
    what: 'five parameters',
    source: 'export const f = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e\n',
  },
  {
    rule: 'eslint(max-lines)',
    what: 'a file of 401 lines',
    source: `${lines(401, (i) => `export const n${i} = ${i}`)}\n`,
  },
  {
    rule: 'eslint(max-lines-per-function)',
    what: 'a function of 61 lines',
    source: `export function f(list: number[]): void {\n${lines(59, (i) => `  list.push(${i})`)}\n}\n`,
  },
  {
    rule: 'eslint(max-depth)',
    what: 'five blocks deep',
    source: `export function f(n: number[]): void {\n${lines(5, (i) => `if (n[${i}] === 0) {`)}\nn.push(1)\n${'}'.repeat(5)}\n}\n`,
  },
  { rule: 'eslint(eqeqeq)', what: 'a loose comparison', source: 'export const f = (a: number, b: number) => a == b\n' },
  { rule: 'eslint(no-var)', what: 'var', source: 'export var n = 1\n' },
  {
    rule: 'eslint(prefer-const)',
    what: 'let that never changes',
    source: 'export function f(): number {\n  let n = 1\n  return n\n}\n',
  },
  {
    rule: 'import(no-default-export)',
    what: 'a default export',
    source: 'export default function f(): number {\n  return 1\n}\n',
  },
  {
    rule: 'import(no-cycle)',
    what: 'a cycle of imports',
    path: 'api/cycle-a.ts',
    source: "import { b } from './cycle-b.ts'\n\nexport const a = () => b\n",
  },
  {
    rule: 'import(no-cycle)',
    what: 'the other half of it',
    path: 'api/cycle-b.ts',
    source: "import { a } from './cycle-a.ts'\n\nexport const b = () => a\n",
  },
  { rule: 'oxc(no-barrel-file)', what: 'a barrel file', source: "export * from './ctx.ts'\n" },
  { rule: 'typescript(no-explicit-any)', what: 'any', source: 'export type Loose = any[]\n' },
  {
    rule: 'typescript(no-floating-promises)',
    what: 'a promise that nobody waits for',
    source: 'export function f(work: () => Promise<void>): void {\n  work()\n}\n',
  },
  {
    rule: 'typescript(no-misused-promises)',
    what: 'a promise as a condition',
    source: "export const f = (work: Promise<boolean>) => (work ? 'yes' : 'no')\n",
  },
  {
    rule: 'typescript(only-throw-error)',
    what: 'a thrown text',
    source: "export function f(): never {\n  throw 'no'\n}\n",
  },
  {
    rule: 'typescript(return-await)',
    what: 'a promise that leaves the try that guards it',
    source:
      'export async function f(work: () => Promise<number>): Promise<number> {\n  try {\n    return work()\n  } catch {\n    return 0\n  }\n}\n',
  },
  {
    rule: 'typescript(switch-exhaustiveness-check)',
    what: 'a switch that forgets a member',
    source:
      "export function f(kind: 'a' | 'b'): number {\n  let n = 0\n  switch (kind) {\n    case 'a':\n      n = 1\n  }\n  return n\n}\n",
  },
  {
    rule: 'typescript(no-unsafe-argument)',
    what: 'any handed on',
    source: "export const f = (use: (n: number) => void) => use(JSON.parse('1'))\n",
  },
  {
    rule: 'typescript(no-unsafe-assignment)',
    what: 'any kept',
    source: "const n = JSON.parse('1')\n\nexport const f = () => typeof n\n",
  },
  {
    rule: 'typescript(no-unsafe-call)',
    what: 'any called',
    source: "export const f = (): unknown => JSON.parse('1')()\n",
  },
  {
    rule: 'typescript(no-unsafe-member-access)',
    what: 'a field of any',
    source: "export const f = (): unknown => JSON.parse('1').field\n",
  },
  {
    rule: 'typescript(no-unsafe-return)',
    what: 'any returned',
    source: "export const f = (): number => JSON.parse('1')\n",
  },
  {
    rule: 'typescript(no-non-null-assertion)',
    what: 'a claim that something is there',
    source: 'export const f = (list: number[]): number => list[0]!\n',
  },
  {
    rule: 'typescript(consistent-type-imports)',
    what: 'a type imported as a value',
    source: "import { Ctx } from './ctx.ts'\n\nexport type Contexts = Ctx[]\n",
  },
  {
    rule: 'vitest(no-disabled-tests)',
    what: 'a skipped test',
    path: 'api/skipped.test.ts',
    source: "import { expect, test } from 'vitest'\n\ntest.skip('adds', () => {\n  expect(1 + 1).toBe(2)\n})\n",
  },
  {
    rule: 'vitest(no-focused-tests)',
    what: 'a focused test',
    path: 'api/focused.test.ts',
    source: "import { expect, test } from 'vitest'\n\ntest.only('adds', () => {\n  expect(1 + 1).toBe(2)\n})\n",
  },
  {
    rule: 'eslint(no-console)',
    what: 'a line past the log',
    source: "console.log('hello')\n\nexport const said = true\n",
  },
]

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n')
}

const houseFaults: Fault[] = house.map((fault, index) => ({ path: `api/house-${index}.ts`, ...fault }))

/** What is right and must be left alone, where a rule nearby could mistake it. */
export const clean: { path: string; source: string }[] = [
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
    source: "import { FakeClock } from '../../test/fake-clock.ts'\n\nexport const clock: unknown = FakeClock\n",
  },
  {
    path: 'controllers/machine/reconcile.ts',
    source:
      "import type { It } from '../../providers/instances.ts'\nimport { clock } from '../runtime/clock.ts'\n\nexport const all: [It[], unknown] = [[], clock]\n",
  },
  {
    path: 'controllers/runtime/clock.ts',
    source:
      'export const clock = { now: () => Date.now(), after: (ms: number, run: () => void) => setTimeout(run, ms) }\n',
  },
  {
    path: 'controllers/runtime/next.ts',
    source: "import type { Ctx } from '../../api/ctx.ts'\n\nexport type Step = (ctx: Ctx) => 'done'\n",
  },
  {
    path: 'test/fake-clock.ts',
    source:
      "import { setTimeout } from 'node:timers/promises'\n\nexport const FakeClock = setTimeout\nconsole.log(Date.now())\n",
  },
  { path: 'lint.config.ts', source: 'export default { rules: {} }\n' },
]

export const faults: Fault[] = [...clockFaults, ...arrowFaults, ...testArrowFaults(), ...houseFaults]

/** Tests beside the source may use what is in test/; the other arrows hold for them too. */
function testArrowFaults(): Fault[] {
  return [
    { path: 'api/up.test.ts', to: '../providers/instances.ts' },
    { path: 'providers/up.test.ts', to: '../controllers/runtime/next.ts' },
    { path: 'providers/fleet/up.test.ts', to: '../aws/instances.ts' },
    { path: 'providers/aws/aside.test.ts', to: '../gcp/instances.ts' },
    { path: 'controllers/machine/down.test.ts', to: '../../providers/aws/instances.ts' },
    { path: 'controllers/runtime/aside.test.ts', to: '../../api/kinds.ts' },
  ].map(({ path, to }) => ({
    what: `${path} imports ${to}`,
    path,
    source: `import { thing } from '${to}'\n\nexport const it: unknown = thing\n`,
    rule: layer,
  }))
}
