import { expect, it } from 'vitest'
import { BadOption, options, readOptions, usage } from './options.ts'

it('has defaults that parse', () => {
  expect(readOptions([], {})).toEqual({
    kubeconfig: '',
    namespace: '',
    pollInterval: 15_000,
    logLevel: 'info',
    workers: 32,
  })
})

it('takes the flag before the variable before the default', () => {
  expect(readOptions([], { CAPSPOT_POLL_INTERVAL: '2m' }).pollInterval).toBe(120_000)
  expect(readOptions(['--poll-interval', '500ms'], { CAPSPOT_POLL_INTERVAL: '2m' }).pollInterval).toBe(500)
})

it.each([
  [['--poll-interval', '15'], /--poll-interval .* is "15": use a positive number with a unit/],
  [['--poll-interval', '0s'], /positive/],
  [['--log-level', 'loud'], /--log-level .*debug, info, warn or error/],
  [['--workers', '-1'], /--workers/],
  [['--workers=0'], /whole number from 1 to 9999/],
  [['--colour', 'red'], /--colour/],
])('refuses %o with a sentence', (args, sentence) => {
  expect(() => readOptions(args, {})).toThrow(BadOption)
  expect(() => readOptions(args, {})).toThrow(sentence)
})

it('tells of every option in its help', () => {
  for (const { flag, variable, meaning } of Object.values(options)) {
    expect(usage()).toContain(`--${flag}`)
    expect(usage()).toContain(variable)
    expect(usage()).toContain(meaning)
  }
})
