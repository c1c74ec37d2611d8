import type { Figures } from '../bench.ts'
import type { BenchOptions } from '../options.ts'
import { cloudsOf, noticeSources } from './source.ts'

/** Measures with these options, in a lab of its own. */
type Measure = (options: BenchOptions) => Promise<Figures>

/** Every source of every cloud, one after the other. The names of the figures begin with those of cloud and source. */
export async function everySource(options: BenchOptions, measure: Measure): Promise<Figures> {
  let all: Figures = { rssMB: 0, calls: {} }
  for (const source of noticeSources) {
    for (const cloud of cloudsOf[source]) {
      const { rssMB, calls, ...figures } = await measure({ ...options, source, cloud })
      const name = source === 'agent' ? `${cloud}-agent` : source
      all = {
        ...all,
        ...named(name, figures),
        rssMB: Math.max(all.rssMB, rssMB),
        calls: summed(name, all.calls, calls),
      }
    }
  }
  return all
}

function named(source: string, figures: object): object {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${source}/${name}`, value as number]))
}

function summed(source: string, all: Figures['calls'], more: Figures['calls']): Figures['calls'] {
  const own = Object.entries(more).map(([action, count]) => [`${source}/${action}`, count] as const)
  return { ...all, ...Object.fromEntries(own) }
}
