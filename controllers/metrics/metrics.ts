import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { series, type Label, type LabelsOf, type SeriesOf } from './series.ts'

/** What we count, and in which units. Rows are named as in the table of series; there are no other series. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #counters = new Map<string, Counter<string>>()
  readonly #gauges = new Map<string, Gauge<string>>()
  readonly #histograms = new Map<string, Histogram<string>>()
  readonly #bounds = new Map<string, Bound>()
  readonly #fills: (() => void)[] = []

  constructor() {
    for (const [row, { name, help, labels, ...more }] of Object.entries(series)) {
      const options = { name, help, labelNames: Object.keys(labels), registers: [this.#registry] }
      this.#bounds.set(row, new Bound(labels))
      if (more.type === 'counter') this.#counters.set(row, new Counter<string>(options))
      else if (more.type === 'gauge') this.#gauges.set(row, new Gauge<string>(options))
      else this.#histograms.set(row, new Histogram<string>({ ...options, buckets: [...more.buckets] }))
      this.#zero(row)
    }
  }

  count<Row extends SeriesOf<'counter'>>(row: Row, labels: LabelsOf<Row>): void {
    this.#counters.get(row)?.inc(this.#bounded(row, labels))
  }

  observe<Row extends SeriesOf<'histogram'>>(row: Row, labels: LabelsOf<Row>, seconds: number): void {
    this.#histograms.get(row)?.observe(this.#bounded(row, labels), seconds)
  }

  set<Row extends SeriesOf<'gauge'>>(row: Row, labels: LabelsOf<Row>, value: number): void {
    this.#gauges.get(row)?.set(this.#bounded(row, labels), value)
  }

  /** Forgets all that was set, so that what is no longer there does not stand there for ever. */
  reset(row: SeriesOf<'gauge'>): void {
    this.#gauges.get(row)?.reset()
    this.#zero(row)
  }

  /** Gauges that are read off when somebody looks. */
  beforeEach(fill: () => void): void {
    this.#fills.push(fill)
  }

  get type(): string {
    return this.#registry.contentType
  }

  async text(): Promise<string> {
    for (const fill of this.#fills) fill()
    return this.#registry.metrics()
  }

  /** A series that is missing until something happens cannot be told from one that does not work. */
  #zero(row: string): void {
    for (const labels of this.#bounds.get(row)?.known() ?? []) {
      this.#counters.get(row)?.inc(labels, 0)
      this.#gauges.get(row)?.set(labels, 0)
      this.#histograms.get(row)?.zero(labels)
    }
  }

  #bounded(row: string, labels: Readonly<Record<string, string>>): Record<string, string> {
    return this.#bounds.get(row)?.keep(labels) ?? {}
  }
}

const mostCombinations = 1_000

/** How many combinations of label values a series may have. Beyond that what is new is one: `other`. */
class Bound {
  readonly #labels: Readonly<Record<string, Label>>
  readonly #seen = new Set<string>()

  constructor(labels: Readonly<Record<string, Label>>) {
    this.#labels = labels
  }

  /** Every combination of the values that are known from the start. */
  known(): Record<string, string>[] {
    let all: Record<string, string>[] = [{}]
    for (const [name, { known }] of Object.entries(this.#labels)) {
      all = all.flatMap((labels) => known.map((value) => ({ ...labels, [name]: value })))
    }
    return all
  }

  keep(labels: Readonly<Record<string, string>>): Record<string, string> {
    const combination = JSON.stringify(Object.values(labels))
    if (this.#seen.has(combination)) return labels
    if (this.#seen.size >= mostCombinations) return this.#other(labels)
    this.#seen.add(combination)
    return labels
  }

  #other(labels: Readonly<Record<string, string>>): Record<string, string> {
    const isKnown = (name: string, value: string) => this.#labels[name]?.known.includes(value)
    return Object.fromEntries(
      Object.entries(labels).map(([name, value]) => [name, isKnown(name, value) ? value : 'other']),
    )
  }
}
