import { expect } from 'vitest'
import { annotations, core } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { Ownership } from '../../../api/ownership.ts'
import { newId } from '../../../providers/shared/ownership.ts'
import type { LabInstance } from '../../lab/clouds/cloud.ts'
import { changesTo, lastCall } from '../seen/changes.ts'
import { attemptOf, type CloudCluster } from './cloud-cluster.ts'
import { patiently } from '../seen/patiently.ts'

/** Resources of others in the account. */
export interface Neighbours {
  readonly instances: readonly LabInstance[]
  /** The owner id of the cluster that they imitate. */
  readonly besides: string
  /** No changing call has named an instance of theirs, and nothing of theirs is missing. */
  readonly areWell: () => void
  /** The same, and at the end there is nothing else. */
  readonly areAlone: () => Promise<void>
}

/**
 * Creates everything that looks like one of our machines and is not: the instance of another management cluster for a
 * machine of the same name, one created by hand with the same name, and leftovers of another one.
 */
export async function moveIn({ cloud }: CloudCluster, model: InfraMachine | undefined): Promise<Neighbours> {
  const before = new Set(cloud.remains())
  const theirs = () => ({ ...ownershipOf(model), owner: newId('owner') })
  const ids = [await cloud.strangers.instance(theirs())]
  ids.push(await cloud.strangers.byHand(`${model?.metadata.name}-by-hand`))
  await cloud.strangers.leftovers({ ...theirs(), token: newId('token') })
  const { instances, remains } = await patiently('what they ended is gone', () => {
    const added = cloud.remains().filter((name) => !before.has(name))
    expect(added.filter((name) => name.startsWith('instances: '))).toHaveLength(ids.length)
    return { instances: cloud.alive().filter(({ id }) => ids.includes(id)), remains: added }
  })
  expect(instances).toHaveLength(ids.length)
  const since = lastCall(cloud)
  const areWell = () => {
    expect(changesTo(instances, cloud, since)).toEqual([])
    expect(cloud.remains()).toEqual(expect.arrayContaining(remains))
  }
  return {
    instances,
    besides: ownershipOf(model).owner,
    areWell,
    async areAlone() {
      await patiently('nothing but theirs is left', () => {
        expect([...cloud.remains()].sort()).toEqual([...remains].sort())
      })
      areWell()
    },
  }
}

export interface Orphan {
  /** Of the instance. */
  readonly id: string
  /** The running manager sees an attempt with its token, and then no more. */
  readonly wasSeen: () => Promise<void>
}

/** An instance of a machine that the manager knew, and that somebody removed past its finalizer. */
export async function makeOrphan(one: CloudCluster): Promise<Orphan> {
  const [model] = await one.infraMachines()
  if (!model) throw new Error('There is no machine to make one like it of.')
  const { owner } = ownershipOf(model)
  const whose = { owner, machine: `${one.namespace}/${one.name}-gone`, token: newId('token') }
  const wasSeen = () => showOnce(one, { model, whose })
  await wasSeen()
  return { id: await one.cloud.strangers.instance(whose), wasSeen }
}

/** It has no owner, so it gets no finalizer, and is deleted at once. */
async function showOnce(one: CloudCluster, { model, whose }: { model: InfraMachine; whose: Ownership }): Promise<void> {
  const { lab, namespace } = one
  const { providerID: _, ...spec } = model.spec
  const { owner, machine, token } = whose
  const { handle: __, ...attempt } = attemptOf(model) ?? { handle: undefined }
  const name = machine.slice(machine.indexOf('/') + 1)
  const noted = { [annotations.attempt]: JSON.stringify({ ...attempt, for: machine, owner, token }) }
  const { [core.clusterName]: ___, ...labels } = model.metadata.labels ?? {}
  const metadata = { namespace, name, labels, annotations: noted }
  const { apiVersion, kind } = model
  const object: InfraMachine = { apiVersion, kind, metadata, spec }
  const made = await lab.client.create(one.machineKind, object, lab.ctx)
  await patiently(`the manager has seen ${name}`, async () => {
    const seen = await lab.client.get<InfraMachine>(one.machineKind, { namespace, name }, lab.ctx)
    expect(seen.status?.conditions).toBeDefined()
  })
  await lab.client.delete(one.machineKind, { namespace, name }, { uid: made.metadata.uid }, lab.ctx)
}

/** The ownership of this machine's instance. */
export function ownershipOf(machine: InfraMachine | undefined): Ownership {
  const attempt = attemptOf(machine)
  if (!attempt) throw new Error(`${machine?.metadata.name} has no attempt yet.`)
  return { owner: attempt.owner, machine: attempt.for, token: attempt.token }
}
