import { expect } from 'vitest'
import type { InfraMachine } from '../../api/machine.ts'
import type { Ownership } from '../../providers/instances.ts'
import { newId } from '../../providers/ownership.ts'
import type { LabInstance } from '../lab/clouds/cloud.ts'
import { changesTo, lastCall } from './changes.ts'
import { attemptOf, type CloudCluster } from './cloud-cluster.ts'
import { patiently } from './patiently.ts'

/** What others have in the account, beside what is ours. */
export interface Neighbours {
  readonly instances: readonly LabInstance[]
  /** The owner id of the cluster beside which they are. */
  readonly besides: string
  /** No call that changes something has named an instance of theirs, and nothing of theirs is missing. */
  readonly areWell: () => void
  /** The same, and in the end nothing else is there. */
  readonly areAlone: () => Promise<void>
}

/**
 * Puts beside a machine of ours all that looks like it and is not: the instance of another management cluster for a
 * machine of the same name, one that somebody made by hand and called alike, and what outlived another one of theirs.
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

/** An instance that was made for a machine of this cluster which is not there any more. Answers with its id. */
export async function makeOrphan(one: CloudCluster): Promise<string> {
  const [model] = await one.infraMachines()
  return one.cloud.strangers.instance({
    owner: ownershipOf(model).owner,
    machine: `${one.namespace}/gone`,
    token: newId('token'),
  })
}

/** By whom, for what and in which attempt the instance of this machine was made. */
export function ownershipOf(machine: InfraMachine | undefined): Ownership {
  const attempt = attemptOf(machine)
  if (!attempt) throw new Error(`${machine?.metadata.name} has no attempt yet.`)
  return { owner: attempt.owner, machine: attempt.for, token: attempt.token }
}
