import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import type { AWSCluster } from '../../api/generated/aws-cluster.ts'
import { clusters } from '../../api/kinds.ts'
import { eventually } from '../lab/eventually.ts'
import { expectNoCanary } from './canaries.ts'
import { expectGrowingPauses } from './growing-pauses.ts'
import { readyOf } from './cloud-cluster.ts'
import { awsClusters, SpotRig } from './spot-rig.ts'

/** Long enough for some pauses that double. Most of its time a test here waits, so they do it together. */
const watchedMs = 10_000
const patiently = { timeout: 180_000 }

it.concurrent(
  'denied from the start: the machine says so, few calls are made, and right credentials are enough',
  patiently,
  async () => {
    await using rig = await SpotRig.start(inject('cluster'))
    const denied = deny(rig)
    await start(rig)
    await rig.applyExamples(1)
    await eventually('the machine says so', async () => {
      const [ready] = (await rig.awsMachines()).map(readyOf)
      expect(ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
      expect(ready?.message).toMatch(/AuthFailure: .*Correct them/)
    })
    await sleep(watchedMs)
    denied.expectFewCalls()
    expect(rig.calls('RunInstances')).toBe(0)

    denied.lift()
    await rig.running(1)
    expect(rig.aws.control.instances()).toHaveLength(1)
    await expectNoCanary(rig)
  },
)

it.concurrent('only the launch is denied: the machine says so, and asks no second time soon', patiently, async () => {
  await using rig = await SpotRig.start(inject('cluster'))
  const message = 'You are not authorized to perform this operation. Encoded authorization failure message: abc'
  rig.aws.control.failNext('RunInstances', 1_000, { code: 'UnauthorizedOperation', message, status: 403 })
  await start(rig)
  await rig.applyExamples(1)
  await eventually('the machine says so', async () => {
    const [ready] = (await rig.awsMachines()).map(readyOf)
    expect(ready).toMatchObject({ status: 'Unknown', reason: 'CredentialsDenied' })
    expect(ready?.message).toMatch(
      /permissions \(UnauthorizedOperation: .*Correct them; the next try is within 5 minutes/,
    )
  })
  await rig.afterPolls(watchedMs / 1_000)
  expect(rig.calls('RunInstances')).toBe(1)
  await expectNoCanary(rig)
})

it.concurrent(
  'denied while machines run: the cluster says so until it is over, and the machines run on',
  patiently,
  async () => {
    await using rig = await SpotRig.start(inject('cluster'))
    await start(rig)
    await rig.applyExamples(1)
    await rig.running(1)
    const denied = deny(rig)
    await sleep(watchedMs)
    denied.expectFewCalls()
    await eventually(
      'the cluster says so',
      async () => {
        expect(await clusterReady(rig)).toMatchObject({ status: 'False', reason: 'CredentialsDenied' })
        expect((await clusterReady(rig))?.message).toMatch(/AuthFailure: .*Correct them/)
      },
      { timeoutMs: 60_000 },
    )
    expect((await rig.awsMachines()).map((machine) => readyOf(machine)?.reason)).toEqual(['Running'])

    denied.lift()
    await eventually('it is over', async () => expect((await clusterReady(rig))?.status).toBe('True'), {
      timeoutMs: 90_000,
    })
    expect(rig.calls('RunInstances')).toBe(1)
    expect(rig.calls('TerminateInstances')).toBe(0)
    await expectNoCanary(rig)
  },
)

it.concurrent(
  'denied while a machine is deleted: it waits, says why, and goes when that is over',
  patiently,
  async () => {
    await using rig = await SpotRig.start(inject('cluster'))
    await start(rig)
    await rig.applyExamples(1)
    await rig.running(1)
    const denied = deny(rig)
    await rig.lab.client.delete(clusters, { namespace: rig.namespace, name: 'c1' }, {}, rig.lab.ctx)
    await eventually('the machine says so', async () => {
      const [ready] = (await rig.awsMachines()).map(readyOf)
      expect(ready).toMatchObject({ status: 'False', reason: 'Deleting' })
      expect(ready?.message).toContain('AuthFailure')
    })
    await sleep(watchedMs)
    denied.expectFewCalls()

    denied.lift()
    await rig.deleteCluster()
    expect(rig.alive()).toEqual([])
    await expectNoCanary(rig)
  },
)

it.concurrent(
  'denied while a cluster without machines is deleted: it waits, says why, and goes when that is over',
  patiently,
  async () => {
    await using rig = await SpotRig.start(inject('cluster'))
    const denied = deny(rig)
    await start(rig)
    await rig.applyExamples(0)
    await eventually('it is held', async () => expect((await clusterReady(rig))?.reason).toBeDefined())
    await rig.lab.client.delete(clusters, { namespace: rig.namespace, name: 'c1' }, {}, rig.lab.ctx)
    await eventually('it says so', async () => {
      expect(await clusterReady(rig)).toMatchObject({ status: 'False', reason: 'WaitingForInstances' })
      expect((await clusterReady(rig))?.message).toMatch(/AuthFailure: .*Correct the credentials/)
    })
    await sleep(watchedMs)
    denied.expectFewCalls()

    denied.lift()
    await rig.deleteCluster()
    await expectNoCanary(rig)
  },
)

async function start(rig: SpotRig): Promise<void> {
  await rig.startManager(['--log-level', 'trace'], { AWS_ACCESS_KEY_ID: 'AKIA-of-canary' })
}

async function clusterReady(rig: SpotRig): Promise<Condition | undefined> {
  const [cluster] = await rig.list<AWSCluster>(awsClusters)
  return findCondition(cluster?.status?.conditions, 'Ready')
}

/** From now on EC2 refuses whatever the manager asks. */
function deny(rig: SpotRig): { lift(): void; expectFewCalls(): void } {
  rig.aws.control.acceptKeys({ others: 'not-ours' })
  const before = rig.aws.control.requests().length
  return {
    lift: () => rig.aws.control.acceptKeys(undefined),
    expectFewCalls() {
      const since = rig.aws.control.requests().slice(before)
      expect(since.length).toBeGreaterThan(1)
      expectGrowingPauses(since)
    },
  }
}
