import { beforeEach, expect, it } from 'vitest'
import { annotations, core } from '../../api/labels.ts'
import type { Cluster, Machine } from '../../api/machine.ts'
import type { ObjectMeta } from '../../api/meta.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import type { RemediationDeps } from './deps.ts'
import { subjectsOf } from '../capacity/subjects.ts'
import { machinesOf } from './facts.ts'

const now = Date.UTC(2026, 0, 1)
const cluster: Cluster = { metadata: { namespace: 'default', name: 'c1' }, spec: {} }
const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 's1', uid: 'u', controller: true }

let apiserver: FakeApiserver
let deps: RemediationDeps

beforeEach(() => {
  apiserver = new FakeApiserver()
  const infraMachines = new Map([['AWSMachine', apiserver.cache('AWSMachine')]])
  deps = { machines: apiserver.cache('Machine'), infraMachines } as unknown as RemediationDeps
})

function put(name: string, more: Partial<ObjectMeta> = {}, apiGroup = 'spot.cluster.x-k8s.io'): void {
  const infrastructureRef = { apiGroup, kind: 'AWSMachine', name }
  const metadata = { namespace: 'default', name, ownerReferences: [set], ...more }
  apiserver.put('Machine', { metadata, spec: { clusterName: 'c1', infrastructureRef } } as never)
}

const names = (machines: readonly Machine[]) => machines.map(({ metadata }) => metadata.name)

it('control planes, paused Machines and those of other providers are nothing to it', () => {
  put('worker')
  put('control-plane', { labels: { [core.controlPlane]: '' } })
  put('paused', { annotations: { [core.paused]: '' } })
  put('theirs', {}, 'infrastructure.cluster.x-k8s.io')
  expect(names(machinesOf(cluster, deps))).toEqual(['worker'])
  expect(machinesOf({ ...cluster, spec: { paused: true } }, deps)).toEqual([])
})

it('one cause has one group, whichever machine meets it', () => {
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
  const pool = 'Spot:m5.large:us-east-1a'
  for (const name of ['a', 'b']) {
    put(name, { labels: { [core.deploymentName]: 'md' } })
    const startedAt = '2026-01-01T00:00:00Z'
    const attempt = {
      for: `default/${name}`,
      owner: 'o',
      n: 1,
      token: name,
      scope,
      startedAt,
      offering: pool,
    }
    const noted = { [annotations.attempt]: JSON.stringify(attempt), [core.clonedFromName]: 't1' }
    apiserver.put('AWSMachine', { metadata: { namespace: 'default', name, annotations: noted }, spec: {} } as never)
  }
  const subjects = subjectsOf({ machines: machinesOf(cluster, deps), policies: [], missingInfra: new Set() }, deps, now)
  const groups = [
    `pool aws/default/us-east-1 ${pool}`,
    `price aws/default/us-east-1 ${pool} default`,
    'quota aws/default/us-east-1 Spot standard 2',
    'launch MachineDeployment default/md t1',
  ]
  expect(subjects.map(({ outcome }) => outcome)).toEqual([
    { is: 'underWay', groups, requestedAt: now, patientUntil: now + 1_800_000 },
    { is: 'underWay', groups, requestedAt: now, patientUntil: now + 1_800_000 },
  ])
})

it('a Machine without a MachineDeployment belongs to its MachineSet; without that, or skipped by hand, it is not replaced', () => {
  put('set')
  put('alone', { ownerReferences: [] })
  put('skipped', { annotations: { [core.skipRemediation]: '' } })
  const subjects = subjectsOf({ machines: machinesOf(cluster, deps), policies: [], missingInfra: new Set() }, deps, now)
  expect(subjects.map(({ owner, isFixed }) => [owner, isFixed])).toEqual([
    ['MachineSet default/s1', false],
    ['Machine default/alone', true],
    ['MachineSet default/s1', true],
  ])
})
