import { describe, expect, it } from 'vitest'
import { Metrics } from './metrics.ts'
import { series } from './series.ts'

/** The value of each series, by its name with its labels in the order of their names. */
async function read(metrics: Metrics): Promise<Map<string, number>> {
  const values = new Map<string, number>()
  for (const line of (await metrics.text()).split('\n')) {
    const [, name, labels = '', value] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name) values.set(`${name}{${labels.split(',').toSorted().join(',')}}`, Number(value))
  }
  return values
}

describe('the table', () => {
  it.each(Object.values(series))('$name is named and described as it should be', (row) => {
    expect(row.name).toMatch(/^capspot(_[a-z][a-z0-9]*)+$/)
    expect(row.name.endsWith('_total')).toBe(row.type === 'counter')
    expect(row.help).toMatch(/^[A-Z0-9].*[.]$/)
    expect('buckets' in row).toBe(row.type === 'histogram')
    for (const label of Object.values(row.labels)) expect(label.meaning).toMatch(/[.]$/)
  })

  // `promtool check metrics` refuses these.
  it.each(Object.values(series))('F17: $name has no label of summaries and histograms', ({ labels }) => {
    expect(Object.keys(labels).filter((label) => label === 'quantile' || label === 'le')).toEqual([])
  })

  it('names each series once', () => {
    const names = Object.values(series).map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })
})

describe('metrics', () => {
  it('has every series of the table, and none besides, before anything has happened', async () => {
    const text = await new Metrics().text()
    const typed = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    expect(typed.toSorted()).toEqual(
      Object.values(series)
        .map(({ name, type }) => `${name} ${type}`)
        .toSorted(),
    )
  })

  it('shows what is known from the start at zero, each combination', async () => {
    const values = await read(new Metrics())
    expect(values.get('capspot_reconciles_total{controller="AWSMachine",result="failed"}')).toBe(0)
    expect(values.get('capspot_launches_total{cloud="aws",result="capacity"}')).toBe(0)
    expect(values.get('capspot_machines{kind="AWSMachine",reason="Interrupted"}')).toBe(0)
    expect(values.get('capspot_reconcile_duration_seconds_count{controller="AWSCluster"}')).toBe(0)
    expect(values.get('capspot_leader{}')).toBe(0)
  })

  it('counts, observes and sets', async () => {
    const metrics = new Metrics()
    metrics.count('launches', { cloud: 'aws', result: 'created' })
    metrics.count('launches', { cloud: 'aws', result: 'created' })
    metrics.observe('reconcileSeconds', { controller: 'AWSMachine' }, 0.02)
    metrics.set('leader', {}, 1)
    const values = await read(metrics)
    expect(values.get('capspot_launches_total{cloud="aws",result="created"}')).toBe(2)
    expect(values.get('capspot_reconcile_duration_seconds_bucket{controller="AWSMachine",le="0.01"}')).toBe(0)
    expect(values.get('capspot_reconcile_duration_seconds_bucket{controller="AWSMachine",le="0.025"}')).toBe(1)
    expect(values.get('capspot_reconcile_duration_seconds_sum{controller="AWSMachine"}')).toBe(0.02)
    expect(values.get('capspot_leader{}')).toBe(1)
  })

  it('reads off what is asked for when somebody looks, and forgets what was reset but for its zeros', async () => {
    const metrics = new Metrics()
    let kinds = ['AWSMachine', 'Other']
    metrics.beforeEach(() => {
      metrics.reset('machines')
      for (const kind of kinds) metrics.set('machines', { kind, reason: 'Running' }, 7)
    })
    const both = await read(metrics)
    expect(both.get('capspot_machines{kind="AWSMachine",reason="Running"}')).toBe(7)
    expect(both.get('capspot_machines{kind="Other",reason="Running"}')).toBe(7)
    kinds = []
    const none = await read(metrics)
    expect(none.get('capspot_machines{kind="AWSMachine",reason="Running"}')).toBe(0)
    expect(none.has('capspot_machines{kind="Other",reason="Running"}')).toBe(false)
  })

  it('does not grow without end: beyond a thousand combinations all that is new is one', async () => {
    const metrics = new Metrics()
    for (let n = 0; n < 1_500; n++) {
      metrics.count('cloudCalls', { cloud: 'aws', action: 'RunInstances', code: `Error.${n}` })
    }
    const values = await read(metrics)
    const calls = [...values].filter(([name]) => name.startsWith('capspot_cloud_calls_total'))
    expect(calls).toHaveLength(1_001)
    expect(values.get('capspot_cloud_calls_total{action="other",cloud="aws",code="other"}')).toBe(500)
  })
})
