import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { machines, nodes } from '../../api/kinds.ts'
import { requests } from '../../api/labels.ts'
import type { Machine, Node } from '../../api/machine.ts'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

let rig: RemediationRig

beforeAll(async () => {
  rig = await RemediationRig.start(inject('cluster'), { clouds: ['aws'] })
})

afterAll(() => rig[Symbol.asyncDispose]())

const held = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/test'
const taint = 'spot.cluster.x-k8s.io/interrupted'

async function annotate({ metadata }: Machine, added: Record<string, string | null>): Promise<void> {
  const { namespace, name } = metadata
  const { client, ctx } = rig.lab
  await client.mergePatch(machines, { namespace, name }, { patch: { metadata: { annotations: added } } }, ctx)
}

const nameOf = ({ metadata }: Machine) => metadata.name

/** A Cluster with this many Machines, of which the first cannot begin to drain. */
async function applied(replicas: number): Promise<readonly [Machine, ...Machine[]]> {
  await rig.policy('aws', { minHealthySeconds: 0 })
  await rig.apply('aws', replicas)
  await rig.running('aws', replicas)
  const [first, ...others] = await rig.machines('aws')
  if (!first) throw new Error('There is no Machine.')
  await annotate(first, { [held]: '' })
  return [first, ...others]
}

/** Waits for one more Machine, while the old one waits at the hook of the test. */
async function replacedAhead([old, ...others]: readonly [Machine, ...Machine[]]): Promise<void> {
  const before = [old, ...others].map(nameOf)
  await eventually('its replacement runs beside it', async () => {
    const all = await rig.machines('aws')
    const fresh = all.filter((one) => !before.includes(nameOf(one)))
    expect(fresh.map(({ status }) => findCondition(status?.conditions, 'Available')?.status)).toEqual(['True'])
    const noticed = all.find((one) => nameOf(one) === nameOf(old))
    expect(noticed?.metadata.deletionTimestamp).toBeDefined()
    expect(noticed?.metadata.ownerReferences?.map(({ kind, controller }) => [kind, controller])).toEqual([
      ['Cluster', true],
    ])
  })
}

async function goneWhenReleased(old: Machine, replicas: number): Promise<void> {
  await annotate(old, { [held]: null })
  await eventually('the old Machine is gone', async () =>
    expect((await rig.machines('aws')).map(nameOf)).not.toContain(nameOf(old)),
  )
  await rig.running('aws', replicas)
  await rig.deleteCluster('aws')
  await rig.nothingLeft('aws')
}

it('a rehearsal: exactly one replacement runs beside the Machine, and nothing is left', async () => {
  const all = await applied(3)
  const creates = rig.creates('aws')
  await annotate(all[0], { [requests.rehearse]: '2m' })
  await replacedAhead(all)
  await goneWhenReleased(all[0], 3)
  expect(rig.creates('aws') - creates).toBe(1)
})

it('a notice of EC2, two minutes ahead: the same, and the Node takes no further Pods while the instance runs', async () => {
  const all = await applied(2)
  const [old] = all
  const [infra] = (await rig.infraMachines('aws')).filter(
    ({ metadata }) => metadata.name === old.spec.infrastructureRef?.name,
  )
  const creates = rig.creates('aws')
  rig.interrupt('aws', infra, 120_000)
  await replacedAhead(all)
  await eventually('the Node is tainted, and the condition says why', async () => {
    const node = await rig.lab.client.get<Node>(nodes, { name: old.status?.nodeRef?.name ?? '' }, rig.lab.ctx)
    expect(node.spec?.taints?.map(({ key }) => key)).toContain(taint)
    const [noticed] = (await rig.infraMachines('aws')).filter(({ metadata }) => metadata.name === infra?.metadata.name)
    const said = findCondition(noticed?.status?.conditions, 'InterruptionNotice')
    expect(said).toMatchObject({ status: 'True', reason: 'Spot' })
    expect(findCondition(noticed?.status?.conditions, 'Ready')?.status).toBe('True')
  })
  await goneWhenReleased(old, 2)
  expect(rig.creates('aws') - creates).toBe(1)
})
