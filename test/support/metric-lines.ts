import type { Metrics } from '../../controllers/metrics/metrics.ts'

/** What stands on the page of metrics under this name, but for what is zero. */
export async function lines(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.text()
  return text.split('\n').filter((line) => line.startsWith(name) && !line.endsWith(' 0'))
}
