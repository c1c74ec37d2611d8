import type { Fault } from './fault.ts'

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
    rule: 'vitest(expect-expect)',
    what: 'a test that asserts nothing',
    path: 'api/silent.test.ts',
    source: "import { test } from 'vitest'\n\ntest('adds', () => {\n  Math.abs(1 + 1)\n})\n",
  },
  {
    rule: 'words(short-sentences)',
    what: 'a sentence of 31 words',
    source: `export const said = 'A first sentence. ${words(31)}.'\n`,
  },
  {
    rule: 'words(short-sentences)',
    what: 'a sentence that a choice and a sum make too long',
    source: `export const f = (is: boolean) =>\n  \`${words(15)} \${is ? 'yes' : '${words(10)}'} \` +\n  '${words(6)}.'\n`,
  },
  {
    rule: 'eslint(no-console)',
    what: 'a line past the log',
    source: "console.log('hello')\n\nexport const said = true\n",
  },
]

function words(count: number): string {
  return Array.from({ length: count }, () => 'word').join(' ')
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n')
}

export const houseFaults: Fault[] = house.map((fault, index) => ({ path: `api/house-${index}.ts`, ...fault }))
