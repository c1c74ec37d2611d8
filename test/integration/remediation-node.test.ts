import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { machineHealthChecks } from '../../api/kinds.ts'
import { core } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './remediation-rig.ts'

let rig: RemediationRig

beforeAll(async () => {
  rig = await RemediationRig.start(inject('cluster'), { nodes: false })
})

afterAll(() => rig[Symbol.asyncDispose]())

it('a Node never comes: the time is counted from when the instance runs, and somebody else’s health check waits too', async () => {
  await rig.policy('aws', { nodeStartupSeconds: 2, backoff: { initialSeconds: 10, maxSeconds: 3600 } })
  const { lab, namespace } = rig
  const metadata = { name: 'theirs', namespace, labels: { [core.clusterName]: 'aws' } }
  // It would replace each after 5 s, for ever.
  const checks = { unhealthyMachineConditions: [{ type: 'NodeReady', status: 'Unknown', timeoutSeconds: 5 }] }
  const spec = { clusterName: 'aws', selector: { matchLabels: { [core.clusterName]: 'aws' } }, checks }
  await lab.client.create(machineHealthChecks, { metadata, spec } as KubeObject, lab.ctx)
  await rig.apply('aws', 1)
  const first = await eventually('it waits', async () => {
    const [due] = await rig.due('aws')
    expect(due).toMatchObject({ status: 'False', reason: 'BackingOff' })
    expect(due?.message).toMatch(/^NodeMissing: m5\.large spot in .*attempt 2\.$/)
    const [machine] = await rig.machines('aws')
    expect(machine?.metadata.annotations?.[core.skipRemediation]).toBe('backing-off')
    return machine
  })
  await eventually(
    'the second waits twice as long',
    async () => {
      const [machine] = await rig.machines('aws')
      expect(machine?.metadata.name).not.toBe(first?.metadata.name)
      expect((await rig.due('aws'))[0]?.message).toMatch(/attempt 3\.$/)
    },
    { timeoutMs: 90_000 },
  )
  expect(rig.creates('aws')).toBe(2)
  const [lane] = Object.entries(await rig.backoff('aws')).filter(([name]) => name.startsWith('node '))
  expect(lane?.[1].failures).toBe(2)
})
