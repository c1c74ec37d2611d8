import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import type { CloudName } from '../../api/scope.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import { readyOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { moveIn } from './rigs/neighbours.ts'
import { deletedWhenTaken } from './seen/taken.ts'
import { patiently } from './seen/patiently.ts'
import { countably, endAndSee } from './seen/seen.ts'

let rig: CloudsRig
beforeEach(async () => {
  rig = await CloudsRig.start(inject('cluster'))
})
afterEach(() => rig[Symbol.asyncDispose]())

it('an instance is stopped, gone, or taken back and deleted: the condition says so by the next list, and nobody makes it again', async () => {
  await rig.startManager(countably)
  await rig.each(async (one) => {
    const { control, name } = one.cloud
    await one.apply(3, { spec: deletedWhenTaken[name] })
    const [stopped, vanished, deleted] = await one.running(3)
    const stop = (id: string) => control.stop(id)
    await endAndSee(one, { of: stopped, by: stop, reason: /^(InstanceStopped|Interrupted)$/, lists: 1 })
    // A second list at once proves that a missing instance is gone.
    const vanish = (id: string) => control.vanish(id)
    await endAndSee(one, { of: vanished, by: vanish, reason: /^InstanceGone$/, lists: 2 })
    const interrupt = (id: string) => control.interrupt(id)
    await endAndSee(one, { of: deleted, by: interrupt, reason: /^(Interrupted|InstanceGone)$/, lists: 2 })
    expect(one.creates()).toBe(3)
    const neighbours = await moveIn(one, deleted)
    await one.deleteCluster()
    await neighbours.areAlone()
  })
})

/** The words of each cloud for a late refusal; EC2 refuses at once. */
const takenBack: Readonly<Record<CloudName, RegExp>> = {
  aws: /InsufficientInstanceCapacity: /,
  azure: /AllocationFailed: /,
  gcp: /ZONE_RESOURCE_POOL_EXHAUSTED\w*: /,
  ibm: /cannot_start_capacity: /,
}

it('no capacity, said at once or after the yes: the machine fails once, with the reason, asks no more, and nothing remains', async () => {
  await rig.startManager()
  await rig.each(async (one) => {
    one.cloud.control.noCapacity()
    await one.apply(1)
    await failed(one, 1)
    await nothingRemains(one)
    expect(one.creates()).toBe(1)
    one.cloud.control.capacityBack()
  })
  await rig.lab.manager.stop()
  await rig.startManager([], jumpingClock)
  // A second machine shows that the restarted manager has reconciled all of them.
  await rig.each(async (one) => {
    const { cloud } = one
    if (cloud.refuseLater) cloud.refuseLater()
    else cloud.control.noCapacity()
    await one.scaleTo(2)
    const messages = await failed(one, 2)
    expect(messages.filter((message) => takenBack[cloud.name].test(message))).not.toEqual([])
    await nothingRemains(one)
    expect(one.creates()).toBe(2)
  })
  // If no list has shown a refused instance, its call might still make one for two minutes: they pass at once.
  rig.lab.manager.kill('SIGUSR2')
  await rig.each(async (one) => {
    await one.deleteCluster()
    expect(one.cloud.remains()).toEqual([])
  })
})

/** The messages of the machines, when all of them have failed. */
async function failed(one: CloudCluster, count: number): Promise<string[]> {
  return patiently('the machines fail', async () => {
    const all = (await one.infraMachines()).map(readyOf)
    expect(all).toHaveLength(count)
    return all.map((ready) => {
      expect(ready).toMatchObject({ status: 'False', reason: 'InsufficientCapacity' })
      expect(ready?.message).toMatch(/The launch of this machine failed: \w+: .+ The manager does not try again/s)
      return ready?.message ?? ''
    })
  })
}

async function nothingRemains({ cloud }: CloudCluster): Promise<void> {
  await patiently('the cloud holds nothing of ours', () => expect(cloud.remains()).toEqual([]))
}
