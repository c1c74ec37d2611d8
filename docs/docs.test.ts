import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { machineReasons, policyReasons, remediationReasons } from '../api/reasons.ts'
import { options } from '../config/options.ts'
import { series } from '../controllers/metrics/series.ts'
import { pages } from './pages.ts'

const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8')

it.each(await pages())('$file says what the code says', async ({ file, text }) => {
  expect(await read(file)).toBe(text)
})

it('has a row for every option, reason and series', async () => {
  const [optionsPage, conditions, metrics] = await Promise.all([
    read('options.md'),
    read('conditions.md'),
    read('metrics.md'),
  ])
  for (const { flag } of Object.values(options)) expect(optionsPage).toContain(`\`--${flag}\``)
  const reasons = { ...machineReasons, ...remediationReasons, ...policyReasons }
  for (const reason of Object.keys(reasons)) expect(conditions).toContain(`\`${reason}\``)
  for (const { name } of Object.values(series)) expect(metrics).toContain(`\`${name}\``)
})
