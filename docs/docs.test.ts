import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  clusterReasons,
  controlPlaneReasons,
  eventReasons,
  machineReasons,
  noticeReasons,
  pausedReasons,
  policyReasons,
  remediationReasons,
  templateReasons,
  uniformReasons,
} from '../api/reasons.ts'
import { options } from '../config/options.ts'
import { series } from '../controllers/metrics/series.ts'
import { pages } from './pages.ts'

const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8')

const reasons = Object.keys({
  ...machineReasons,
  ...clusterReasons,
  ...templateReasons,
  ...uniformReasons,
  ...controlPlaneReasons,
  ...noticeReasons,
  ...remediationReasons,
  ...policyReasons,
  ...pausedReasons,
  ...eventReasons,
})

it('explains only reasons that the code uses', () => {
  const root = path.join(import.meta.dirname, '..')
  const files = globSync('{api,controllers,providers}/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|^api\/(generated\/|reasons\.ts$)/.test(file),
  )
  const code = files
    .map((file) => readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\*.*?\*\//gs, ''))
    .join('\n')
  expect(reasons.filter((reason) => !new RegExp(`\\b${reason}\\b`).test(code))).toEqual([])
})

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
  for (const reason of reasons) expect(conditions).toContain(`\`${reason}\``)
  for (const { name } of Object.values(series)) expect(metrics).toContain(`\`${name}\``)
})
