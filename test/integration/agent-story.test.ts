import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { machines } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import { systemClock as clock } from '../../controllers/runtime/process/clock.ts'
import { eventually } from '../lab/eventually.ts'
import { startAzureMetadata } from '../simulators/metadata/azure.ts'
import { AgentRig } from './rigs/agent-rig.ts'
import { instanceOf } from './rigs/cloud-cluster.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

let rig: RemediationRig
let agents: AgentRig

/** Azure: only its metadata announce an eviction, so no other source can be the cause. */
beforeAll(async () => {
  rig = await RemediationRig.start(inject('cluster'), { clouds: ['azure'] })
  agents = await AgentRig.start(rig.lab)
})
afterAll(async () => {
  await agents[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

const held = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/test'

async function annotate({ metadata }: Machine, added: Record<string, string | null>): Promise<void> {
  const { client, ctx } = rig.lab
  const ref = { namespace: rig.namespace, name: metadata.name }
  await client.mergePatch(machines, ref, { patch: { metadata: { annotations: added } } }, ctx)
}

it('Azure announces an eviction to one machine: its Machine is deleted and replaced, the other one stays', async () => {
  await rig.policy('azure', { minHealthySeconds: 0 })
  await rig.apply('azure', 2)
  const infra = await rig.running('azure', 2)
  const all = await rig.machines('azure')
  const { control } = rig.cloud('azure')
  const creates = rig.creates('azure')
  for (const machine of all) {
    const own = infra.find(({ metadata }) => metadata.name === machine.spec.infrastructureRef?.name)
    const id = instanceOf(own)
    const metadata = await startAzureMetadata({ clock, name: id, takenBackAt: () => control.takenBackAt?.(id) })
    const node = machine.status?.nodeRef?.name ?? ''
    const { program } = await agents.run(node, metadata.url)
    onTestFinished(async () => {
      await program.stop()
      await metadata.close()
    })
    await agents.condition(node, 'Terminating', 'False')
  }
  const [old, other] = all
  if (!old) throw new Error('There is no Machine.')
  await annotate(old, { [held]: '' })
  const noticed = infra.find(({ metadata }) => metadata.name === old.spec.infrastructureRef?.name)
  rig.interrupt('azure', noticed, 120_000)
  await eventually('its Machine is deleted while its instance runs, and the condition says why', async () => {
    const now = (await rig.machines('azure')).find(({ metadata }) => metadata.uid === old.metadata.uid)
    expect(now?.metadata.deletionTimestamp).toBeDefined()
    const said = (await rig.infraMachines('azure')).find(({ metadata }) => metadata.uid === noticed?.metadata.uid)
    expect(findCondition(said?.status?.conditions, 'InterruptionNotice')).toMatchObject({
      status: 'True',
      reason: 'Spot',
    })
  })
  await annotate(old, { [held]: null })
  // Well before the instance would be taken back: nothing else can be the cause.
  await eventually(
    'it is gone and replaced',
    async () => {
      const names = (await rig.machines('azure')).map(({ metadata }) => metadata.name)
      expect(names).toHaveLength(2)
      expect(names).not.toContain(old.metadata.name)
      expect(names).toContain(other?.metadata.name)
    },
    { timeoutMs: 90_000 },
  )
  await rig.running('azure', 2)
  expect(rig.creates('azure') - creates).toBe(1)
  await rig.deleteCluster('azure')
  await rig.nothingLeft('azure')
})
