import { expect, it } from 'vitest'
import { machineLabels } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import { follow, strayDeletes, wrongEnds, type Ends, type Fates } from './fates.ts'
import { forged } from './tenant.ts'

const machine = (uid: string, labels: Record<string, string> = {}, name = `m-${uid}`) =>
  ({ metadata: { uid, name, labels } }) as unknown as Machine
const due = { [machineLabels.remediationDue]: '' }

/** The fates after these changes. */
function after(...changes: readonly Parameters<typeof follow>[1][]): Fates {
  const fates: Parameters<typeof follow>[0] = new Map()
  for (const change of changes) follow(fates, change)
  return fates
}

const came = (one: Machine) => ({ after: one })
const went = (one: Machine) => ({ before: one })

function endsOf(over: Partial<Ends>): readonly string[] {
  const none = { fates: new Map(), announced: new Map(), deleted: new Set<string>(), uncalled: [], tainted: [] }
  return wrongEnds({ ...none, ...over })
}

it('a Machine that went was announced, deleted by a user, or due', () => {
  const [announced, deleted, failed] = [machine('1'), machine('2'), machine('3')]
  const marked = machine('3', due)
  const all = [came(announced), came(deleted), came(failed), { before: failed, after: marked }]
  const fates = after(...all, went(announced), went(deleted), went(failed), came(machine('4')))
  expect(endsOf({ fates, announced: new Map([['1', 'm-1']]), deleted: new Set(['2']) })).toEqual([])
})

it('a replacement too many, which its MachineSet takes away again, went without a cause', () => {
  const fates = after(came(machine('1')), came(machine('2')), went(machine('2')))
  expect(endsOf({ fates })).toEqual(['Machine m-2: it went, and nobody announced, deleted or found it failed'])
})

it('so did one whose successor got its name', () => {
  const fates = after(came(machine('1', {}, 'm')), { before: machine('1', {}, 'm'), after: machine('2', {}, 'm') })
  expect(endsOf({ fates })).toEqual(['Machine m: it went, and nobody announced, deleted or found it failed'])
})

it('an announced Machine does not stay', () => {
  const fates = after(came(machine('1')), came(machine('2')))
  expect(endsOf({ fates, announced: new Map([['2', 'm-2']]) })).toEqual([
    'Machine m-2: it is still there after its notice',
  ])
})

it('what a tenant has forged has no fate', () => {
  const lie = machine('1', { [forged.key]: forged.value })
  expect(after(came(lie), went(lie))).toEqual(new Map())
})

it('a held Pod without a last call and a tainted Node that serves are named', () => {
  expect(endsOf({ uncalled: ['held-1'], tainted: ['n1'] })).toEqual([
    'Pod held-1: nobody deleted it before its instance ended',
    'Node n1: it serves, and has the taint of an interruption',
  ])
})

it('the manager deletes announced Machines and held Pods, and no others', () => {
  const machines = '/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines'
  const pods = '/api/v1/namespaces/ns/pods'
  const paths = [
    `${machines}/m-1`,
    `${machines}/m-2?dryRun=All`,
    `${pods}/held-1`,
    `${pods}/skipped-1`,
    '/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinehealthchecks/x',
  ]
  expect(strayDeletes(paths, { machines: ['m-1'], pods: ['held-1'] })).toEqual([
    `${machines}/m-2?dryRun=All`,
    `${pods}/skipped-1`,
  ])
})
