import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import type { InfraCluster } from '../../api/machine.ts'
import { patiently } from './seen/patiently.ts'
import { awsClusters, SpotRig } from './rigs/spot-rig.ts'

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
})
afterEach(() => rig[Symbol.asyncDispose]())

it('a namespace has machines in the accounts that the operator binds it to, and not a call elsewhere', async () => {
  await startBound('999988887777')
  await rig.applyExamples(1)
  await patiently('the infrastructure cluster says why', async () => {
    const [cluster] = await rig.list<InfraCluster>(awsClusters)
    const ready = findCondition(cluster?.status?.conditions, 'Ready')
    expect(ready).toMatchObject({ status: 'False', reason: 'AccountNotAllowed' })
    expect(ready?.message).toContain('may use aws/999988887777, not aws/123456789012')
  })
  await patiently('the machine says so', async () => {
    const [machine] = await rig.awsMachines()
    const reason = findCondition(machine?.status?.conditions, 'Ready')?.reason
    expect(reason).toBe('AccountNotAllowed')
  })
  const asked = new Set(rig.aws.control.requests().map(({ action }) => action))
  expect([...asked].filter((action) => action !== 'GetCallerIdentity')).toEqual([])

  await rig.lab.manager.stop()
  await startBound('123456789012')
  await rig.running(1)
  expect(rig.creates()).toBe(1)
})

async function startBound(account: string): Promise<void> {
  const file = path.join(rig.lab.folder, `${account}.yaml`)
  await writeFile(file, `${rig.namespace}: [aws/${account}]\n`)
  await rig.startManager(['--namespace-accounts', file])
}
