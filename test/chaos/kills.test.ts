import { expect, it } from 'vitest'
import { Faults } from '../simulators/kit/faults/faults.ts'
import { inOrder, reach } from './kills.ts'
import type { Point } from './point.ts'

const point = (name: string, at: Point['at'] = { call: name }): Point => ({ name, cause: 'a notice', at })
const quick = { patienceMs: 30, nudgeMs: 10 }

/** A request that comes each time that the cause happens. */
function scene(action: string, numbers: readonly number[]) {
  const faults = new Faults()
  const rest = [...numbers]
  const passed: number[] = []
  const cause = async () => {
    const number = rest.shift()
    if (number === undefined) return
    const request = { number, action, params: { number }, at: 0, origin: '', answer: undefined, lost: false }
    void faults.pass(request, 'before').then((how) => how === 'go' && passed.push(number))
  }
  return { hold: () => faults.hold('ack', 'before'), cause, passed, faults }
}

it('each point comes twice, and the seed alone decides the order and the fates', () => {
  const points = ['a', 'b', 'c'].map((name) => point(name))
  const told = (draw: string) => inOrder(points, draw).map(({ point: { name }, fate }) => `${name} ${fate}`)
  expect(told('aws/1')).toEqual(told('aws/1'))
  expect(told('aws/1')).not.toEqual(told('aws/2'))
  const done = told('aws/1').filter((kill) => kill.endsWith('done'))
  expect([done.toSorted(), told('aws/1').length]).toEqual([['a done', 'b done', 'c done'], 6])
})

it('a point to which the manager does not come is told, and nothing stays held', async () => {
  const { hold, cause, faults } = scene('another call', [1, 2, 3])
  expect(await reach({ hold, at: { call: 'ack' }, cause, stale: new Set() }, quick)).toBeUndefined()
  expect(faults.holds.size).toBe(0)
})

it('a call that is not meant passes, and so does one of a dead sender', async () => {
  const { hold, cause, passed } = scene('ack', [1, 2, 3])
  const at = { call: 'ack', isMeant: ({ number }: { number: number }) => number !== 2 }
  const stale = new Set([1])
  const held = await reach({ hold, at, cause, stale }, { patienceMs: 5_000, nudgeMs: 1 })
  expect((await held?.reached)?.number).toBe(3)
  expect([passed, [...stale]]).toEqual([
    [1, 2],
    [1, 3],
  ])
  held?.drop()
})
