import { startLab } from '../lab/lab.ts'
import { findUpstream } from './documents.ts'
import { holds, resultOf, tableOf } from './table.ts'
import { Trial, type Verdict } from './trial.ts'

const usage = `Usage: npm run upstream -- FOLDER

How many machines and templates of the clouds' own providers are accepted here when only their apiVersion is changed,
and IBMVPCMachine is called IBMMachine. FOLDER holds their sources, one folder for each: cluster-api-provider-aws,
-azure, -gcp, -ibmcloud. What a provider itself refuses, such as a patch, does not count.
`

async function main([folder]: readonly string[]): Promise<number> {
  if (folder === undefined || folder === '--help') {
    process.stdout.write(usage)
    return folder === undefined ? 2 : 0
  }
  const found = await findUpstream(folder)
  await using lab = await startLab({ core: false })
  await using trial = new Trial(lab)
  await trial.install(folder)
  const verdicts: Verdict[] = []
  for (const one of found) {
    const verdict = await trial.verdict(one)
    if (verdict) verdicts.push(verdict)
  }
  const result = resultOf(verdicts)
  process.stdout.write(`${tableOf(result, verdicts)}\n`)
  return holds(result) ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
