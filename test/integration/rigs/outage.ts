import { expect } from 'vitest'
import { machines } from '../../../api/kinds.ts'
import type { ControlPlaneFaults } from '../../lab/processes/control-plane.ts'
import { eventually } from '../../lab/eventually.ts'
import type { SpotRig } from './spot-rig.ts'

/** One kind of outage of the management cluster. */
export interface Outage {
  readonly what: string
  begin(controlPlane: ControlPlaneFaults): Promise<void>
  end(controlPlane: ControlPlaneFaults): Promise<void>
}

export const outages: readonly Outage[] = [
  { what: 'kube-apiserver', begin: (faults) => faults.killApiserver(), end: (faults) => faults.startApiserver() },
  { what: 'etcd', begin: (faults) => faults.killEtcd(), end: (faults) => faults.startEtcd() },
]

const isLong = process.env['CAPSPOT_LONG'] !== undefined

/** CAPSPOT_LONG: the time to replace a control plane node. */
export function lasting(shortMs: number): number {
  return isLong ? 30_000 : shortMs
}

/** Duration and repetitions. CAPSPOT_LONG: a restart, a replaced node, a failed upgrade. */
export const spells: readonly { readonly seconds: number; readonly times: number }[] = isLong
  ? [5, 30, 120].map((seconds) => ({ seconds, times: 3 }))
  : [{ seconds: 6, times: 1 }]

/**
 * Begins an outage; the returned function ends it. Core ends with it and has to be started again. Otherwise its caches
 * would be used for up to half a minute: it would create unwanted Machines and lose the AWSMachines of others.
 */
export async function begin(outage: Outage, rig: SpotRig): Promise<{ end(): Promise<void> }> {
  const { client, core, ctx } = rig.lab
  await core?.kill()
  await outage.begin(rig.controlPlane)
  return {
    async end() {
      await outage.end(rig.controlPlane)
      await eventually('the API server is back', () => client.raw('/readyz', ctx), { timeoutMs: 60_000 })
    },
  }
}

/** A machine to terminate and another to launch, both refused so far and repeated. */
export async function pressToWrite(rig: SpotRig, leaver: string): Promise<{ admitted(): void }> {
  const busy = { code: 'Unavailable', message: 'Not now.', status: 503 }
  for (const action of ['RunInstances', 'TerminateInstances']) rig.aws.control.failNext(action, 1_000, busy)
  await rig.scaleTo(3)
  await rig.lab.client.delete(machines, { namespace: rig.namespace, name: leaver }, {}, rig.lab.ctx)
  await eventually('both are asked for', () => {
    const refused = rig.aws.control.requests().filter(({ answer }) => answer?.code === busy.code)
    expect(new Set(refused.map(({ action }) => action))).toEqual(new Set(['RunInstances', 'TerminateInstances']))
  })
  return { admitted: () => rig.aws.control.clearFaults() }
}

/**
 * An answer counts as present for this time (controllers/runtime/process/reachability.ts). Calls that rely on it are
 * under way.
 */
const provenBeforeMs = 500

/** Changing calls, and their time after that moment. */
export function writesSince(rig: SpotRig, began: number): string[] {
  const changing = /^(RunInstances|TerminateInstances|CreateTags)$/
  const calls = rig.aws.control
    .requests()
    .filter(({ action, at }) => at >= began + provenBeforeMs && changing.test(action))
  return calls.map(({ action, at }) => `${action} after ${at - began} ms`)
}
