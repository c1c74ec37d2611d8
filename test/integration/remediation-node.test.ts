import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { machineHealthChecks } from '../../api/kinds.ts'
import { core } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

let rig: RemediationRig

beforeAll(async () => {
  rig = await RemediationRig.start(inject('cluster'), { nodes: false })
})

afterAll(() => rig[Symbol.asyncDispose]())

it('no Node comes: one machine is tried for all, after the time since its instance runs, and somebody else’s health check waits too', async () => {
  await rig.policy('aws', { nodeStartupSeconds: 2, backoff: { initialSeconds: 20, maxSeconds: 3600 } })
  const { lab, namespace } = rig
  const metadata = { name: 'theirs', namespace, labels: { [core.clusterName]: 'aws' } }
  // It would replace each after 5 s, for ever.
  const checks = { unhealthyMachineConditions: [{ type: 'NodeReady', status: 'Unknown', timeoutSeconds: 5 }] }
  const spec = { clusterName: 'aws', selector: { matchLabels: { [core.clusterName]: 'aws' } }, checks }
  await lab.client.create(machineHealthChecks, { metadata, spec } as KubeObject, lab.ctx)
  await rig.apply('aws', 3)
  const first = await eventually('all wait', async () => {
    const machines = await rig.machines('aws')
    expect(machines.map(({ metadata }) => metadata.annotations?.[core.skipRemediation])).toEqual(held(3))
    for (const due of await rig.due('aws')) {
      expect(due).toMatchObject({ status: 'False', reason: 'BackingOff' })
      expect(due?.message).toMatch(/^NodeMissing: m5\.large spot in .*attempt 2\.$/)
    }
    return machines.map(({ metadata }) => metadata.name)
  })
  await eventually(
    'one was replaced to try it for all, its Node does not come either, and all wait twice as long',
    async () => {
      const [group] = Object.entries(await rig.backoff('aws')).filter(([name]) => name.startsWith('node '))
      expect(group?.[1].failures).toBe(2)
      for (const due of await rig.due('aws')) expect(due?.message).toMatch(/attempt 3\.$/)
    },
    { timeoutMs: 90_000 },
  )
  const names = (await rig.machines('aws')).map(({ metadata }) => metadata.name)
  expect(names.filter((name) => first.includes(name))).toHaveLength(2)
  expect(rig.creates('aws')).toBe(3 + 1)
})

const held = (count: number) => Array.from({ length: count }, () => 'backing-off')
