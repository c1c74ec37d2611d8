import { expect, inject } from 'vitest'
import { readAttempt } from '../../../api/attempt.ts'
import { readInterruption, type Interruption } from '../../../api/interruption.ts'
import { machines } from '../../../api/kinds.ts'
import type { Machine } from '../../../api/machine.ts'
import { eventually } from '../../lab/eventually.ts'
import { startLab } from '../../lab/lab.ts'
import type { ClusterAccess } from '../../lab/processes/management-cluster.ts'
import { freePort } from '../../lab/processes/port.ts'
import { quickCloud, RemediationRig } from './remediation-rig.ts'

const name = 'interruptions'
const hold = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/test'

/** The account and region of the simulator. */
export const origin = { account: '123456789012', region: 'us-east-1' }

/** A Machine and the id of its instance. */
export interface Known {
  readonly machine: Machine
  readonly id: string
}

/** Workers of one Cluster in EC2, and a manager that receives from a queue of SQS. */
export class QueueRig extends RemediationRig {
  #replicas = 0
  #port = 0

  static override async start(cluster: ClusterAccess): Promise<QueueRig> {
    const lab = await startLab({ cluster, manager: inject('manager'), delays: quickCloud })
    return new QueueRig(lab, await lab.namespace('queue'))
  }

  /** The spot requests of EC2 are asked for once in each interval, so the queue is quicker. */
  async workers(replicas: number): Promise<void> {
    const { manager, aws } = this.lab
    this.#replicas = replicas
    this.#port = await freePort()
    this.control.addQueue(name)
    const url = `${aws.url}/${origin.account}/${name}`
    const args = ['--poll-interval', '10s', '--namespace', this.namespace, '--aws-interruption-queues', url]
    await manager.start({ args, env: { CAPSPOT_METRICS_BIND_ADDRESS: `127.0.0.1:${this.#port}` } })
    await this.policy('aws', { minHealthySeconds: 0 })
    await this.apply('aws', replicas)
    await this.allRun()
  }

  get control() {
    return this.lab.aws.control
  }

  get now(): number {
    return this.lab.ctx.clock.now()
  }

  send(body: unknown): void {
    this.control.sendToQueue(name, typeof body === 'string' ? body : JSON.stringify(body))
  }

  /** The messages in the queue; how many were handed out, each time counted. */
  counts() {
    return this.control.queues()[0]
  }

  async isEmpty(timeoutMs = 30_000): Promise<void> {
    const empty = { visible: 0, hidden: 0 }
    await eventually('the queue is empty', () => expect(this.counts()).toMatchObject(empty), { timeoutMs })
  }

  /** How many notices have come, by source, kind and result. */
  async noticed(): Promise<Readonly<Record<string, number>>> {
    const page = await (await fetch(`http://127.0.0.1:${this.#port}/metrics`)).text()
    const series = /^capspot_notices_total\{cloud="aws",source="(\w+)",kind="(\w+)",result="(\w+)"\} (\d+)$/gm
    const counted = page.matchAll(series)
    return Object.fromEntries(
      [...counted].map(([, source, kind, result, n]) => [`${source} ${kind} ${result}`, Number(n)]),
    )
  }

  /** The living Machines. */
  async living(): Promise<Known[]> {
    const infra = new Map((await this.infraMachines('aws')).map((one) => [one.metadata.name, one]))
    const alive = (await this.machines('aws')).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    return alive.map((machine) => {
      const own = infra.get(machine.spec.infrastructureRef?.name ?? '')
      const reading = own && readAttempt(own)
      return { machine, id: (reading?.is === 'ours' ? reading.attempt.handle : undefined) ?? '' }
    })
  }

  /** When all that an earlier test has replaced are there. */
  async some(): Promise<readonly [Known, Known, ...Known[]]> {
    await this.allRun()
    const [first, second, ...others] = await this.living()
    if (!first?.id || !second?.id) throw new Error('There are no two Machines with an instance.')
    return [first, second, ...others]
  }

  async allRun(): Promise<void> {
    await this.running('aws', this.#replicas)
  }

  async find({ metadata: { uid } }: Machine): Promise<Machine | undefined> {
    return (await this.list<Machine>(machines)).find(({ metadata }) => metadata.uid === uid)
  }

  async decision(machine: Machine): Promise<Interruption | undefined> {
    const now = await this.find(machine)
    const reading = now && readInterruption(now)
    return reading?.is === 'ours' ? reading.interruption : undefined
  }

  async decided(machine: Machine, wanted: Partial<Interruption>): Promise<void> {
    await eventually('the decision stands', async () => expect(await this.decision(machine)).toMatchObject(wanted))
  }

  /** It cannot begin to drain until `released`. */
  hold(machine: Machine): Promise<void> {
    return this.annotate(machine, { [hold]: '' })
  }

  async delete({ metadata: { namespace, name: named } }: Machine): Promise<void> {
    await this.lab.client.delete(machines, { namespace, name: named }, {}, this.lab.ctx)
  }

  /** Waits until it is gone, and all others run. */
  async released(machine: Machine): Promise<void> {
    await this.annotate(machine, { [hold]: null })
    await this.gone(machine)
  }

  async gone(machine: Machine, timeoutMs = 60_000): Promise<void> {
    await eventually('it is gone', async () => expect(await this.find(machine)).toBeUndefined(), { timeoutMs })
    await this.allRun()
  }

  async annotate({ metadata: { namespace, name: named } }: Machine, annotations: Record<string, string | null>) {
    const { client, ctx } = this.lab
    await client.mergePatch(machines, { namespace, name: named }, { patch: { metadata: { annotations } } }, ctx)
  }

  /** How many instances the manager asked to end. */
  ends(): number {
    return this.control.requests().filter(({ action }) => action === 'TerminateInstances').length
  }
}
