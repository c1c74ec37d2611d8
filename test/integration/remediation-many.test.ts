import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { machineDeployments } from '../../api/kinds.ts'
import { eventually } from '../lab/eventually.ts'
import { deleteNamespace, everythingIn } from '../lab/namespace.ts'
import { RemediationRig } from './remediation-rig.ts'

let rig: RemediationRig

beforeEach(async () => {
  rig = await RemediationRig.start(inject('cluster'))
  await rig.policy('aws', { minHealthySeconds: 0 })
})

afterEach(() => rig[Symbol.asyncDispose]())

it('many are preempted at once: none is skipped, none is made twice, and no more go at once than the user allows', async () => {
  const { client, ctx } = rig.lab
  await rig.apply('aws', 6)
  const ref = { namespace: rig.namespace, name: 'aws-spot' }
  await client.mergePatch(machineDeployments, ref, { patch: { spec: { remediation: { maxInFlight: 2 } } } }, ctx)
  const taken = await rig.running('aws', 6)
  for (const machine of taken) rig.interrupt('aws', machine)
  const gone = new Set(taken.map(({ metadata }) => metadata.name))
  let most = 0
  await eventually(
    'all are replaced',
    async () => {
      const machines = await rig.machines('aws')
      most = Math.max(most, machines.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length)
      expect(machines.filter(({ metadata }) => gone.has(metadata.name))).toEqual([])
      expect(machines).toHaveLength(6)
    },
    { timeoutMs: 180_000 },
  )
  await rig.running('aws', 6)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(2)
  expect(rig.creates('aws')).toBe(12)
}, 300_000)

it.each([
  ['in any order', () => false],
  ['policies and what makes machines first', (kind: string) => /Policy$|MachineDeployment|MachineSet/.test(kind)],
  ['health checks and Clusters first', (kind: string) => /HealthCheck$|Cluster$/.test(kind)],
])(
  'the namespace is deleted while machines are being replaced, %s: nothing is left',
  async (_, first) => {
    await rig.apply('aws', 3)
    const [one, two] = await rig.running('aws', 3)
    rig.interrupt('aws', one)
    rig.interrupt('aws', two)
    await eventually('somebody is due', async () => {
      expect((await rig.due('aws')).filter((due) => due?.status === 'True')).not.toEqual([])
    })
    const { lab, namespace } = rig
    await deleteNamespace(namespace, lab.client, { first, timeoutMs: 120_000 }, lab.ctx)
    await rig.nothingLeft('aws')
    expect((await everythingIn(namespace, lab.client, lab.ctx)).map(({ resource }) => resource.kind)).toEqual([])
  },
  240_000,
)
