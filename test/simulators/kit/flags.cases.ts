import { expect, test } from 'vitest'
import { helpText, readFlags } from './flags.ts'

const clouds = ['aws', 'gcp'] as const

test('without flags: all clouds on free ports, with the usual delays', () => {
  expect(readFlags([], clouds)).toEqual({
    help: false,
    clouds: ['aws', 'gcp'],
    port: 0,
    kubeconfig: undefined,
    bootMs: 2000,
    stopMs: 1000,
    shutdownMs: 1000,
    noticeMs: 0,
    heartbeatMs: 10_000,
    buckets: 'none',
    keptRequests: 10_000,
    verbose: false,
  })
})

test('flags are read', () => {
  const args =
    '--only gcp --port 8080 --kubeconfig k --boot-delay 500ms --notice=2m --heartbeat 1.5s --verbose --buckets real --kept-requests 0'
  expect(readFlags(args.split(' '), clouds)).toMatchObject({
    clouds: ['gcp'],
    port: 8080,
    kubeconfig: 'k',
    bootMs: 500,
    noticeMs: 120_000,
    heartbeatMs: 1500,
    buckets: 'real',
    keptRequests: 0,
    verbose: true,
  })
})

test.each([
  ['--only azure', '--only must be one of aws, gcp, not "azure".'],
  ['--port http', '--port must be a number from 0 to 65535, not "http".'],
  ['--port 65536', '--port must be a number from 0 to 65535, not "65536".'],
  ['--boot-delay 2', '--boot-delay must be a duration such as 500ms, 2s or 1m, not "2".'],
  ['--notice -1s', /--notice/],
  ['--buckets half', '--buckets must be real or none, not "half".'],
  ['--kept-requests many', '--kept-requests must be a number such as 10000, or 0 for none, not "many".'],
  ['--ports 1', "Unknown option '--ports'; --help lists the flags."],
  ['--port', "Option '--port <value>' argument missing; --help lists the flags."],
  ['aws', "Unexpected argument 'aws'; --help lists the flags."],
])('%s is refused in one sentence', (args, sentence) => {
  expect(() => readFlags(args.split(' '), clouds)).toThrow(sentence)
})

test('the help names every flag', () => {
  const help = helpText(clouds)
  for (const flag of [
    'only',
    'port',
    'kubeconfig',
    'boot-delay',
    'stop-delay',
    'shutdown-delay',
    'notice',
    'heartbeat',
    'buckets',
    'kept-requests',
  ]) {
    expect(help).toContain(`--${flag} <`)
  }
})
