import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { signed } from './signed.ts'

/** What `measure.ts` asks of this program, as JSON in its first argument. */
export interface Load {
  readonly url: string
  readonly machines: number
  /** The parameters of each launch. */
  readonly launch: Readonly<Record<string, string>>
}

/** What it answers, as JSON on its standard output. */
export interface Measured {
  readonly launchesPerSecond: number
  readonly pageMs: { readonly p50: number; readonly p99: number }
  readonly pageBytes: number
}

const callers = 8
const pages = 50
const headers = { ...signed, 'content-type': 'application/x-www-form-urlencoded' }

type Call = (parameters: Readonly<Record<string, string>>) => Promise<string>

/** HTTP and no more, so that the load costs little beside what it measures. */
function caller(url: string, agent: Agent): Call {
  return (parameters) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (incoming) => {
        text(incoming).then(
          (body) => (incoming.statusCode === 200 ? resolve(body) : reject(new Error(body.slice(0, 500)))),
          reject,
        )
      })
      sent.on('error', reject)
      sent.end(new URLSearchParams({ Version: '2016-11-15', ...parameters }).toString())
    })
}

async function launchAll(call: Call, { machines, launch }: Load): Promise<number> {
  let begun = 0
  const launchSome = async () => {
    while (begun < machines) {
      begun += 1
      await call({ Action: 'RunInstances', ...launch, ClientToken: `token-${begun}` })
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: callers }, launchSome))
  return (1000 * machines) / (performance.now() - start)
}

async function readPages(call: Call): Promise<Pick<Measured, 'pageMs' | 'pageBytes'>> {
  const times: number[] = []
  let pageBytes = 0
  for (let page = 0; page < pages; page++) {
    const start = performance.now()
    pageBytes = (await call({ Action: 'DescribeInstances', MaxResults: '1000' })).length
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => Math.round(10 * (times[Math.floor(times.length * part)] ?? 0)) / 10
  return { pageMs: { p50: at(0.5), p99: at(0.99) }, pageBytes }
}

async function measured(load: Load): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const call = caller(load.url, agent)
  const launchesPerSecond = Math.round(await launchAll(call, load))
  const page = await readPages(call)
  agent.destroy()
  return { launchesPerSecond, ...page }
}

process.stdout.write(JSON.stringify(await measured(JSON.parse(process.argv[2] ?? '') as Load)))
