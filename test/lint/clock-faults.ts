import type { Fault } from './fault.ts'

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

export const clockFaults: Fault[] = [
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
