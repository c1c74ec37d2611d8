import { defineConfig, type OxlintOverride } from 'oxlint'
import { layers, shippedOnly, type Layer } from './lint/layers.ts'

const shipped = ['api/**/*.ts', 'providers/**/*.ts', 'controllers/**/*.ts']

const clockMessage = 'Take the time from the Clock that was passed in.'
const globalTime = ['setTimeout', 'setInterval', 'setImmediate', 'performance']

/** Time is a value that is passed: only the one file that implements the Clock may touch the global one. */
const clockRules: OxlintOverride['rules'] = {
  'clock/no-global-date': 'error',
  'no-restricted-globals': ['error', ...globalTime.map((name) => ({ name, message: clockMessage }))],
  'no-restricted-properties': [
    'error',
    ...globalTime.map((property) => ({ object: 'globalThis', property, message: clockMessage })),
    { object: 'Date', property: 'now', message: clockMessage },
    { object: 'process', property: 'hrtime', message: clockMessage },
    { object: 'AbortSignal', property: 'timeout', message: 'Use the Clock, so that tests can move it.' },
  ],
  'no-console': 'error',
}

/** What fails a test that does not hold: `expect`, properties, and helpers that expect by themselves. */
const assertions = [
  'expect',
  'fc.assert',
  'expectComplete',
  'everyCacheEqualsList',
  'patiently',
  '*.areAlone',
  'areAlone',
  'fill',
] as const

const relaxedForTests: OxlintOverride['rules'] = { 'max-lines-per-function': 'off', 'no-console': 'off' }

/** A unit test stands in its layer, but may use what is in test/. */
function layerRules({ files, refuses }: Layer): OxlintOverride[] {
  const tests = files.map((glob) => glob.replace(/\*\*$/, '**/*.ts').replace(/\.ts$/, '.test.ts'))
  const rules = (patterns: Layer['refuses']): NonNullable<OxlintOverride['rules']> => ({
    'no-restricted-imports': ['error', { patterns }],
  })
  return [
    { files, excludeFiles: ['**/*.test.ts'], rules: rules(refuses) },
    { files: tests, rules: rules(refuses.filter((refusal) => !shippedOnly.includes(refusal))) },
  ]
}

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  jsPlugins: ['./lint/clock-plugin.ts', './lint/sentence-plugin.ts'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['api/generated/**', 'test/lint/planted/**', 'out/**'],
  rules: {
    complexity: ['error', { max: 12 }],
    'max-params': ['error', { max: 4 }],
    'max-lines': ['error', { max: 400 }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'max-depth': ['error', { max: 4 }],
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'import/no-named-as-default-member': 'off',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'vitest/no-disabled-tests': 'error',
    'vitest/no-standalone-expect': 'off', // rigs and hooks assert too
    'vitest/no-focused-tests': 'error',
    'vitest/expect-expect': ['error', { assertFunctionNames: [...assertions] }],
    'vitest/require-to-throw-message': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-return': 'off', // tsc knows that a switch over a union is exhaustive; this rule does not.
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'no-shadow': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
  },
  overrides: [
    ...layers.flatMap(layerRules),
    { files: shipped, rules: clockRules },
    {
      files: [...shipped, 'config/**/*.ts', 'docs/**/*.ts', 'scripts/**/*.ts'],
      excludeFiles: ['**/*.test.ts'],
      rules: { 'words/short-sentences': 'error', 'max-lines': ['error', { max: 300 }] },
    },
    {
      files: ['controllers/runtime/process/clock.ts', 'controllers/agent/clock.ts'],
      rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off', 'clock/no-global-date': 'off' },
    },
    { files: ['**/*.test.ts', 'test/**/*.ts'], rules: relaxedForTests },
    { files: ['*.config.ts', 'lint/*-plugin.ts'], rules: { 'import/no-default-export': 'off' } },
  ],
})
