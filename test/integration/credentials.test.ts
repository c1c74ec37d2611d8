import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import { clusters, spotKind } from '../../api/kinds.ts'
import { clusterLabelOf, type InfraCluster, type InfraMachine } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { labCloudNames } from '../lab/clouds/start.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { freePort } from '../lab/processes/port.ts'
import { applySpotCluster } from '../lab/spot-cluster.ts'
import type { Failure } from '../simulators/kit/faults/faults.ts'
import { expectNoCanary } from './seen/canaries.ts'
import { denials, type Denial } from './seen/denials.ts'
import { expectGrowingPauses } from './seen/growing-pauses.ts'

/** Long enough for some doubling pauses. All clouds are watched at the same time. */
const watchedMs = 10_000
const patiently = { timeoutMs: 240_000 }
const countless = 100_000

/** One manager, and a cluster of each name in each cloud. */
class Rig {
  readonly lab: Lab
  readonly namespace: string

  constructor(lab: Lab, namespace: string) {
    this.lab = lab
    this.namespace = namespace
  }

  /** In every cloud a cluster of the examples. */
  async apply(name: string, workers: number): Promise<void> {
    const { lab, namespace } = this
    const values = { JOIN_TOKEN: 'abcdef.token-canary' }
    for (const cloud of lab.clouds) {
      await applySpotCluster(lab, { name: `${name}-${cloud.name}`, namespace, workers, cloud, values })
    }
  }

  /** Waits until the machine of this cluster reports this in every cloud. */
  async machinesSay(name: string, check: (ready: Condition | undefined, denial: Denial) => void): Promise<void> {
    await eventually(
      `the machines of ${name} say so`,
      async () => {
        for (const cloud of this.lab.clouds) {
          const all = await this.#list<InfraMachine>(spotKind(`${cloud.prefix}Machine`))
          const [machine] = all.filter((one) => clusterLabelOf(one) === `${name}-${cloud.name}`)
          check(findCondition(machine?.status?.conditions, 'Ready'), denialOf(cloud))
        }
      },
      patiently,
    )
  }

  /** The same for its infrastructure cluster. */
  async clustersSay(name: string, check: (ready: Condition | undefined, denial: Denial) => void): Promise<void> {
    await eventually(
      `the clusters ${name} say so`,
      async () => {
        for (const cloud of this.lab.clouds) {
          const all = await this.#list<InfraCluster>(spotKind(`${cloud.prefix}Cluster`))
          const one = all.find(({ metadata }) => metadata.name === `${name}-${cloud.name}`)
          check(findCondition(one?.status?.conditions, 'Ready'), denialOf(cloud))
        }
      },
      patiently,
    )
  }

  async delete(name: string): Promise<void> {
    for (const cloud of this.lab.clouds) {
      const ref = { namespace: this.namespace, name: `${name}-${cloud.name}` }
      await this.lab.client.delete(clusters, ref, {}, this.lab.ctx)
    }
  }

  async isGone(name: string): Promise<void> {
    const gone = async () => {
      const left = (await this.#list<InfraCluster>(clusters)).map(({ metadata }) => metadata.name)
      expect(left.filter((one) => one.startsWith(`${name}-`))).toEqual([])
    }
    await eventually(`${name} is gone`, gone, patiently)
  }

  /** Every call is refused like that, until the returned function is called. */
  refuse(how: (denial: Denial) => Failure): () => void {
    for (const cloud of this.lab.clouds) cloud.control.failNext('*', countless, how(denialOf(cloud)))
    return () => {
      for (const { control } of this.lab.clouds) control.clearFaults()
      this.refuseLaunches()
    }
  }

  refuseLaunches(): void {
    for (const { control, createAction, name } of this.lab.clouds) {
      control.failNext(createAction, countless, denialOf({ name }).forbidden)
    }
  }

  creates(): Record<string, number> {
    const count = ({ control, createAction }: LabCloud) =>
      control.requests().filter(({ action }) => action === createAction).length
    return Object.fromEntries(this.lab.clouds.map((cloud) => [cloud.name, count(cloud)]))
  }

  /** For a while there are few calls, each after a growing pause. */
  async fewCalls(): Promise<void> {
    const before = this.lab.clouds.map((cloud) => ({ cloud, at: cloud.control.requests().length }))
    await sleep(watchedMs)
    for (const { cloud, at } of before) expectGrowingPauses(cloud.control.requests().slice(at))
  }

  async #list<T>(resource: Resource): Promise<T[]> {
    return (await this.lab.client.list<T>(resource, { namespace: this.namespace }, this.lab.ctx)).items
  }
}

it('in every cloud: wrong credentials are told, asked with seldom, cost nothing, and right ones are enough', async () => {
  const quick = { bootMs: 300, stopMs: 100, shutdownMs: 100 }
  await using lab = await startLab({
    cluster: inject('cluster'),
    manager: inject('manager'),
    clouds: labCloudNames,
    delays: quick,
  })
  const rig = new Rig(lab, await lab.namespace('denied'))
  const denied = lab.clouds.map((cloud) => cloud.denyUs())
  const address = `127.0.0.1:${await freePort()}`
  const args = ['--poll-interval', '1s', '--namespace', rig.namespace, '--log-level', 'trace']
  await lab.manager.start({ args: [...args, '--metrics-bind-address', address] })
  const { pid } = lab.manager
  await rig.apply('served', 1)
  await rig.apply('empty', 0)
  await deniedFromTheStart(rig)
  for (const lift of denied) lift()
  await rig.machinesSay('served', (ready) => expect(ready).toMatchObject({ status: 'True', reason: 'Running' }))
  await expectNoCanary(rig)
  await onlyTheLaunch(rig)
  await whileMachinesRun(rig)
  await whileAllIsDeleted(rig)
  expect(lab.manager.running && lab.manager.pid, 'it never crashed').toBe(pid)
  await expectNoCanary({ lab, namespace: rig.namespace, metrics: `http://${address}/metrics` })
})

async function deniedFromTheStart(rig: Rig): Promise<void> {
  await rig.machinesSay('served', (ready, { unknown }) => {
    expect(ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
    expect(ready?.message).toMatch(unknown)
    expect(ready?.message).toMatch(/Correct them/)
  })
  await rig.fewCalls()
  expect(rig.creates()).toEqual({ aws: 0, azure: 0, gcp: 0, ibm: 0 })
}

/** It is requested once, and not again soon. */
async function onlyTheLaunch(rig: Rig): Promise<void> {
  rig.refuseLaunches()
  await rig.apply('refused', 1)
  await rig.machinesSay('refused', (ready, { forbidden }) => {
    expect(ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
    expect(ready?.message).toContain(`permissions of the manager. ${forbidden.code}: `)
    expect(ready?.message).toMatch(/Correct them; the manager tries again within 5 minutes/)
  })
  await rig.fewCalls()
  expect(rig.creates()).toEqual({ aws: 2, azure: 2, gcp: 2, ibm: 2 })
}

/** The cluster reports it, and the machines go on running. */
async function whileMachinesRun(rig: Rig): Promise<void> {
  const lift = rig.refuse(({ forbidden }) => forbidden)
  await rig.clustersSay('served', (ready, { forbidden }) => {
    expect(ready).toMatchObject({ status: 'False', reason: 'CredentialsDenied' })
    expect(ready?.message).toContain(forbidden.code)
  })
  await rig.machinesSay('served', (ready) => expect(ready?.reason).toBe('Running'))
  lift()
  await rig.clustersSay('served', (ready) => expect(ready?.status).toBe('True'))
}

/** They wait, report why, and go when it is over. */
async function whileAllIsDeleted(rig: Rig): Promise<void> {
  const lift = rig.refuse(({ unauthorized }) => unauthorized)
  await rig.clustersSay('served', (ready) => expect(ready?.status).toBe('False'))
  await rig.delete('served')
  await rig.delete('empty')
  await rig.machinesSay('served', (ready, { unauthorized }) => {
    expect(ready).toMatchObject({ status: 'False', reason: 'Deleting' })
    expect(ready?.message).toContain(unauthorized.code)
  })
  await rig.clustersSay('empty', (ready, { unauthorized }) => {
    expect(ready).toMatchObject({ status: 'False', reason: 'WaitingForInstances' })
    expect(ready?.message).toMatch(new RegExp(`${unauthorized.code}: .*Correct the credentials`))
  })
  await rig.fewCalls()
  lift()
  await rig.isGone('served')
  await rig.isGone('empty')
  for (const cloud of rig.lab.clouds) expect(cloud.alive(), `left in ${cloud.name}`).toEqual([])
}

function denialOf({ name }: Pick<LabCloud, 'name'>): Denial {
  return denials[name]
}
