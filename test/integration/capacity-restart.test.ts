import { expect, inject, it } from 'vitest'
import { readAttempt, type Attempt } from '../../api/attempt.ts'
import { spotKind } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import { eventually } from '../lab/eventually.ts'
import type { RecordedRequest } from '../simulators/kit/http/journal.ts'
import { readyOf } from './rigs/cloud-cluster.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

const initialSeconds = 15
/** Times in attempts are whole seconds. */
const cutMs = 1_000
const patiently = { timeoutMs: 120_000 }

it('a manager that starts again, once with nothing but attempts, asks no closed offering early, and goes on at the same rung', async () => {
  await using rig = await RemediationRig.start(inject('cluster'))
  const { control, createAction, types } = rig.cloud('aws')
  const calls = () => control.requests().filter(({ action }) => action === createAction)
  for (const instanceType of [types.usual, types.other]) control.noCapacity({ instanceType })
  await rig.policy('aws', { backoff: { initialSeconds, maxSeconds: 300 } })
  await rig.apply('aws', 1, { fallback: [{ [types.field]: [types.other] }, { capacityType: 'OnDemand' }] })
  await eventually('all is refused, and it waits', () => waitsAfter(rig, 3), patiently)
  expect(calls().map(offeringOf)).toEqual([`spot ${types.usual}`, `spot ${types.other}`, `on demand ${types.usual}`])

  // As after a restore that lost the rest. clusterctl moves no machine that waits.
  await restart(rig, loseAllButAttempts)
  await eventually('the pauses are over, and all were asked again', () => waitsAfter(rig, 6), patiently)
  expect(tooEarly(calls(), initialSeconds)).toEqual([])
  await restart(rig)
  control.capacityBack({ instanceType: types.other })
  const [machine] = await rig.running('aws', 1)
  expect(tooEarly(calls(), initialSeconds)).toEqual([])
  const { choice, tried, triedCount } = attemptIn(machine)
  const asked = calls().length
  // Of the calls before, none is forgotten.
  expect([choice?.rung, choice?.instanceType, tried?.length, triedCount]).toEqual([
    1,
    types.other,
    asked - 1,
    asked - 1,
  ])
  expect(asked).toBeGreaterThan(6)

  await restart(rig)
  await eventually('the manager has listed again', () => expect(readyOf(machine)?.status).toBe('True'))
  const [same] = await rig.running('aws', 1)
  expect([attemptIn(same), calls().length]).toEqual([attemptIn(machine), asked])
  await rig.deleteCluster('aws')
  await rig.nothingLeft('aws')
})

async function restart(rig: RemediationRig, meanwhile: (rig: RemediationRig) => Promise<void> = async () => {}) {
  rig.lab.manager.kill('SIGKILL')
  await rig.lab.manager.exited
  await meanwhile(rig)
  await rig.startManager()
}

async function loseAllButAttempts(rig: RemediationRig): Promise<void> {
  const { namespace, lab } = rig
  const { client, ctx } = lab
  const patch = { metadata: { annotations: { [annotations.backoff]: null } } }
  await client.mergePatch(spotKind('AWSCluster'), { namespace, name: 'aws' }, { patch }, ctx)
  for (const { metadata, status = {} } of await rig.infraMachines('aws')) {
    const none = Object.fromEntries(Object.keys(status).map((field) => [field, null]))
    const change = { patch: { status: none }, subresource: 'status' } as const
    await client.mergePatch(spotKind('AWSMachine'), metadata, change, ctx)
  }
}

/** One machine waits, and has been refused so often. */
async function waitsAfter(rig: RemediationRig, refusals: number): Promise<void> {
  const infra = await rig.infraMachines('aws')
  expect(infra.map((one) => readyOf(one)?.reason)).toEqual(['CapacityBackoff'])
  const { tried = [], refused } = attemptIn(infra[0])
  expect(tried.length + (refused ? 1 : 0)).toBe(refusals)
}

function attemptIn(machine: Parameters<typeof readAttempt>[0] | undefined): Attempt {
  const reading = machine && readAttempt(machine)
  if (reading?.is !== 'ours') throw new Error('The machine has no attempt.')
  return reading.attempt
}

function offeringOf({ params }: RecordedRequest): string {
  const market = params['InstanceMarketOptions.MarketType'] === 'spot' ? 'spot' : 'on demand'
  return `${market} ${String(params['InstanceType'])}`
}

/** Calls that came in the pause that the call before for the same offering began. It doubles with each. */
function tooEarly(calls: readonly RecordedRequest[], firstSeconds: number): string[] {
  const byOffering = [...Map.groupBy(calls, offeringOf)]
  return byOffering.flatMap(([offering, all]) =>
    all.slice(1).flatMap(({ at }, before) => {
      const sinceMs = at - (all[before]?.at ?? 0)
      const pauseMs = firstSeconds * 2 ** before * 1_000
      return sinceMs >= pauseMs - cutMs ? [] : [`${offering} after ${sinceMs} ms of ${pauseMs}`]
    }),
  )
}
