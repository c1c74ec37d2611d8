import { expect, it } from 'vitest'
import { BadOption, options, readOptions, usage } from './options.ts'

it('has defaults that parse', () => {
  expect(readOptions([], {})).toEqual({
    kubeconfig: '',
    namespace: '',
    pollInterval: 15_000,
    logLevel: 'info',
    workers: 32,
    watchFilter: '',
    orphans: 'Terminate',
    capacityPools: true,
    awsInterruptionQueues: [],
    grantedLimits: {},
    hintBindAddress: undefined,
    hintTokenFile: '',
    leaderElect: false,
    leaderElectionNamespace: '',
    leaderElectionId: 'controller-leader-election-capspot',
    leaderElectionIdentity: '',
    metricsBindAddress: { port: 8080 },
  })
})

it('takes the flag before the variable before the default', () => {
  expect(readOptions([], { CAPSPOT_POLL_INTERVAL: '2m' }).pollInterval).toBe(120_000)
  expect(readOptions(['--poll-interval', '500ms'], { CAPSPOT_POLL_INTERVAL: '2m' }).pollInterval).toBe(500)
})

it('takes a switch alone, with a value, and from its variable', () => {
  expect(readOptions(['--leader-elect'], {}).leaderElect).toBe(true)
  expect(readOptions(['--leader-elect', '--workers', '3'], {})).toMatchObject({ leaderElect: true, workers: 3 })
  expect(readOptions(['--leader-elect=false'], { CAPSPOT_LEADER_ELECT: 'true' }).leaderElect).toBe(false)
  expect(readOptions([], { CAPSPOT_LEADER_ELECT: 'true' }).leaderElect).toBe(true)
})

it.each([
  [':8080', { port: 8080 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['[::1]:9440', { host: '::1', port: 9440 }],
  ['localhost:1', { host: 'localhost', port: 1 }],
  ['0', undefined],
])('takes %s as an address', (text, address) => {
  expect(readOptions(['--metrics-bind-address', text], {}).metricsBindAddress).toEqual(address)
})

it('says of each option what it does in sentences', () => {
  for (const { meaning } of Object.values(options)) expect(meaning).toMatch(/^[A-Z].*[.]$/)
})

it.each([
  [['--poll-interval', '15'], /--poll-interval .* is "15": use a positive number with a unit/],
  [['--poll-interval', '0s'], /positive/],
  [['--log-level', 'loud'], /--log-level .*trace, debug, info, warn or error/],
  [['--workers', '-1'], /--workers/],
  [['--workers=0'], /whole number from 1 to 9999/],
  [['--colour', 'red'], /--colour/],
  [['--leader-elect=yes'], /--leader-elect .*use true or false/],
  [['--leader-elect', 'false'], /false/],
  [['--watch-filter', 'a b'], /--watch-filter .*a value that a label can have/],
  [['--watch-filter', `a${'b'.repeat(63)}`], /up to 63/],
  [['--aws-interruption-queues', 'interruptions'], /--aws-interruption-queues .*https:\/\/sqs/],
  [['--aws-interruption-queues', 'ftp://sqs.us-east-1.amazonaws.com/123456789012/q'], /write each as https/],
  [['--aws-interruption-queues', 'https://sqs.us-east-1.amazonaws.com/1/q'], /write each as https/],
  [['--aws-interruption-queues', 'https://sqs.us-east-1.amazonaws.com/123456789012/q.fifo'], /FIFO/],
  [['--orphans', 'terminate'], /--orphans .*Terminate or Report/],
  [['--metrics-bind-address', '8080'], /--metrics-bind-address .*use :8080/],
  [['--metrics-bind-address', ':70000'], /use :8080/],
])('refuses %o with a sentence', (args, sentence) => {
  expect(() => readOptions(args, {})).toThrow(BadOption)
  expect(() => readOptions(args, {})).toThrow(sentence)
})

it('reads what a cloud grants beyond its documented limits', () => {
  const given = ['--granted-limits', 'aws:RunInstances=100/20,aws:RunInstances instances=1000/20']
  expect(readOptions(given, {}).grantedLimits).toEqual({
    aws: { RunInstances: { burst: 100, perSecond: 20 }, 'RunInstances instances': { burst: 1000, perSecond: 20 } },
  })
  for (const wrong of ['aws', 'aws:RunInstances', 'aws:RunInstances=0/1', 'aws:RunInstances=1/0']) {
    expect(() => readOptions(['--granted-limits', wrong], {})).toThrow(/--granted-limits .*cloud:bucket=burst/)
  }
})

it('reads the queues of notices, each once', () => {
  const urls = ['https://sqs.us-east-1.amazonaws.com/123456789012/a', 'http://127.0.0.1:9324/123456789012/b_2']
  const given = ['--aws-interruption-queues', ` ${urls[0]}, ${urls[1]},${urls[0]}`]
  expect(readOptions(given, {}).awsInterruptionQueues).toEqual(urls)
})

it('tells of every option in its help', () => {
  for (const { flag, variable, meaning } of Object.values(options)) {
    expect(usage()).toContain(`--${flag}`)
    expect(usage()).toContain(variable)
    expect(usage()).toContain(meaning)
  }
})
