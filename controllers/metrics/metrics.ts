import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { series, type Label, type LabelsOf, type SeriesOf } from './series.ts'

/** The metrics registry. Its rows are those of the table in series.ts, and no others. */
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

  /** Removes all values of a row, so that a thing that is gone does not stay in it. */
  reset(row: SeriesOf<'gauge'>): void {
    this.#gauges.get(row)?.reset()
    this.#zero(row)
  }

  /** Fills gauges when the page is read. */
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

  /** Sets known series to zero. Otherwise a series without events looks like one that does not work. */
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

/** Limits the label combinations of a series. A new combination beyond the limit counts as `other`. */
class Bound {
  readonly #labels: Readonly<Record<string, Label>>
  readonly #seen = new Set<string>()

  constructor(labels: Readonly<Record<string, Label>>) {
    this.#labels = labels
  }

  /** Every combination of the known values. */
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
