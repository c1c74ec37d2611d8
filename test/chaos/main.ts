import { appendFile } from 'node:fs/promises'
import { machines, spotKind } from '../../api/kinds.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { ownBundle } from '../lab/processes/own-bundle.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { runCampaign, type Outcome } from './campaign.ts'
import { ChaosUsage, readChaosOptions, usage, type ChaosOptions } from './options.ts'
import { isClean, tableOf } from './table.ts'

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(usage)
    return 0
  }
  const options = readChaosOptions(args)
  await using bundle = await ownBundle()
  const { entry } = bundle
  const outcomes: Outcome[] = []
  let hasFailed = false
  for (const cloud of options.clouds) {
    for (const seed of options.seeds) {
      try {
        const outcome = await run(cloud, seed, { ...options, entry })
        // A campaign that is ended early has told this much.
        process.stderr.write(`${tableOf([outcome])}\n`)
        outcomes.push(outcome)
      } catch (thrown) {
        // The other runs go on.
        hasFailed = true
        process.stderr.write(`${messageOf(thrown)}\n`)
      }
    }
  }
  process.stdout.write(`${tableOf(outcomes)}\n`)
  if (options.json) process.stdout.write(`${JSON.stringify({ outcomes })}\n`)
  return !hasFailed && outcomes.every(isClean) ? 0 : 1
}

/** Each run has its own lab and begins with nothing, so that only its seed decides. */
async function run(
  name: ChaosOptions['clouds'][number],
  seed: number,
  { machines, points, log, entry }: ChaosOptions & { entry: string },
): Promise<Outcome> {
  await using lab = await startLab({
    clouds: [name],
    delays: { bootMs: 300, stopMs: 100, shutdownMs: 300, noticeMs: 500 },
  })
  const cloud = lab.clouds.find((one) => one.name === name)
  if (!cloud) throw new Error(`The lab has no ${name}.`)
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  try {
    const logLevel = log === undefined ? 'info' : 'trace'
    return await runCampaign({ lab, cloud, seed, machines, points, entry, elected: true, logLevel, say })
  } catch (thrown) {
    throw new Error(`${name}, seed ${seed}: ${messageOf(thrown)}`, { cause: thrown })
  } finally {
    if (log !== undefined)
      await appendFile(log, `${lab.manager.logs()}${lab.core?.logs() ?? ''}${recorded(cloud)}${await left(lab, cloud)}`)
  }
}

/** The remaining objects of a failed run, a line each. */
async function left({ client, ctx }: Lab, { prefix }: LabCloud): Promise<string> {
  const kinds = [machines, spotKind(`${prefix}Machine`)]
  const lists = await Promise.all(kinds.map((kind) => client.list(kind, {}, ctx)))
  return lists.flatMap(({ items }) => items.map((object) => `${JSON.stringify(object)}\n`)).join('')
}

/** The calls to the cloud, a line each. */
function recorded({ control }: LabCloud): string {
  return control
    .requests()
    .map((request) => `${JSON.stringify(request)}\n`)
    .join('')
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

process.exitCode = await main(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`${messageOf(thrown)}\n`)
  return thrown instanceof ChaosUsage ? 2 : 1
})
