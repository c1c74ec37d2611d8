import { findCondition, rfc3339, type Condition } from '../../../api/conditions.ts'
import { annotations, core, machineLabels, remediationDue } from '../../../api/labels.ts'
import type { InterruptionPolicy } from '../../../api/generated/interruption-policy.ts'
import type { InfraMachine, Machine } from '../../../api/machine.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import { Launches } from '../../../controllers/capacity/launches.ts'
import { CapacityMemory } from '../../../controllers/capacity/memory.ts'
import { BackoffStore } from '../../../controllers/capacity/backoff-store.ts'
import type { RemediationDeps } from '../../../controllers/remediation/deps.ts'
import { Mendings } from '../../../controllers/remediation/mendings.ts'
import { reconcileRemediation } from '../../../controllers/remediation/reconcile.ts'
import { OwnWrites } from '../../../controllers/runtime/cache/own-writes.ts'
import type { KubeClient } from '../../../controllers/runtime/client/client.ts'
import type { Result } from '../../../controllers/runtime/controller/result.ts'
import { FakeApiserver } from '../fakes/fake-apiserver.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietCtx } from '../fakes/quiet-ctx.ts'

export const clusterKey = 'default/c1'
export const spot = { apiGroup: 'spot.cluster.x-k8s.io' }
const pool = 'Spot:m5.large:us-east-1a'

/** A Cluster, and the remediation controller of one process. */
export class RemediationWorld {
  readonly apiserver = new FakeApiserver()
  readonly clock = new FakeClock()
  deps: RemediationDeps

  constructor() {
    const { apiserver } = this
    const client = apiserver.client()
    this.deps = {
      client,
      clusters: apiserver.cache('Cluster'),
      healthChecks: apiserver.cache('MachineHealthCheck'),
      ...this.capacity(client),
      mendings: new Mendings(),
      ownWrites: new OwnWrites(),
      recorder: { event: () => {} },
      watchFilter: '',
    }
    this.putCluster()
    apiserver.put('AWSCluster', { metadata: { namespace: 'default', name: 'c1', uid: 'infra' } })
  }

  pass(): Promise<Result> {
    return reconcileRemediation(clusterKey, this.deps, quietCtx({ clock: this.clock }))
  }

  /** Another process goes on: it remembers nothing. */
  restart(): void {
    this.deps = {
      ...this.deps,
      ...this.capacity(this.deps.client),
      ownWrites: new OwnWrites(),
    }
  }

  /** The memory of one process. */
  capacity(client: KubeClient) {
    const { apiserver } = this
    const deps = {
      memory: new CapacityMemory(() => {}),
      backoffStore: new BackoffStore(client),
      machines: apiserver.cache<Machine>('Machine'),
      policies: apiserver.cache<InterruptionPolicy>('InterruptionPolicy'),
      infraMachines: new Map([['AWSMachine', apiserver.cache<InfraMachine>('AWSMachine')]]),
    }
    return { ...deps, launches: new Launches(deps) }
  }

  putCluster(spec: object = {}): void {
    const infrastructureRef = { ...spot, kind: 'AWSCluster', name: 'c1' }
    this.apiserver.put('Cluster', {
      metadata: { namespace: 'default', name: 'c1', uid: 'c1' },
      spec: { infrastructureRef, ...spec },
    } as never)
  }

  putPolicy(spec: object): void {
    this.apiserver.put('InterruptionPolicy', {
      metadata: { namespace: 'default', name: 'p', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { clusterName: 'c1', ...spec },
    } as never)
  }

  /** A Machine of the MachineDeployment for which there was no capacity, a second ago. */
  putFailed(name: string, metadata: Partial<ObjectMeta> = {}): void {
    const set = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 's1', uid: 's1', controller: true }
    const labels = { [core.deploymentName]: 'md' }
    this.apiserver.put('Machine', {
      metadata: { namespace: 'default', name, uid: name, labels, ownerReferences: [set], ...metadata },
      spec: { clusterName: 'c1', infrastructureRef: { ...spot, kind: 'AWSMachine', name } },
    } as never)
    this.putInfra(name, 'InsufficientCapacity')
  }

  /** Its infra machine, which failed a second ago. */
  putInfra(name: string, reason: string, instanceState?: string): void {
    const since = this.clock.now() - 1_000
    const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
    const startedAt = rfc3339(since - 1_000)
    const attempt = { for: `default/${name}`, owner: 'o', n: 1, token: name, scope, startedAt, offering: pool }
    const lastTransitionTime = rfc3339(since)
    const ready = { type: 'Ready', status: 'False', reason, message: '', lastTransitionTime }
    this.apiserver.put('AWSMachine', {
      metadata: { namespace: 'default', name, annotations: { [annotations.attempt]: JSON.stringify(attempt) } },
      spec: {},
      status: { conditions: [ready], ...(instanceState ? { instanceState } : {}) },
    } as never)
  }

  machine(name: string): Machine {
    return this.apiserver.get('Machine', `default/${name}`) as unknown as Machine
  }

  due(name: string): Condition | undefined {
    return findCondition(this.machine(name).status?.conditions, remediationDue)
  }

  isReleased(name: string): boolean {
    return this.machine(name).metadata.labels?.[machineLabels.remediationDue] !== undefined
  }

  heldBy(name: string): string | undefined {
    return this.machine(name).metadata.annotations?.[core.skipRemediation]
  }
}
