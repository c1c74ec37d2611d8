import { expect, test } from 'vitest'
import type { SimulatedCloudRig } from './rig.ts'
import { createRunning } from './steps.ts'

const verbs = [
  'interrupt',
  'stop',
  'terminate',
  'vanish',
  'no-capacity',
  'capacity-back',
  'invisible',
  'lag',
  'buckets',
]
const faultVerbs = ['latency', 'chaos', 'fail-next', 'lose-answer', 'spoil-next', 'hold', 'reached', 'release', 'drop']
const lastVerbs = ['clear-faults', 'reset-counts']
const views = ['instances', 'remains', 'capacity', 'buckets', 'requests', 'counts', 'holds']

/** The switches of a simulator over HTTP. */
export function controlCases({ start, words }: SimulatedCloudRig): void {
  test('GET lists what can be done, each with its meaning and its fields, and what can be seen', async () => {
    await using rig = await start()
    const { status, json } = await rig.control('')
    expect(status).toBe(200)
    const listed = json as { verbs: { verb: string; does: string; fields: object }[]; views: string[] }
    const names = listed.verbs.map(({ verb }) => verb)
    expect(names.toSorted()).toEqual([...verbs, ...faultVerbs, ...lastVerbs, ...words.verbs].toSorted())
    expect(names.every((name) => /^[a-z]+(-[a-z]+)*$/.test(name))).toBe(true)
    expect(listed.verbs.every(({ does }) => does.length > 10)).toBe(true)
    expect(listed.verbs.find(({ verb }) => verb === 'vanish')?.fields).toEqual({ id: 'text' })
    expect(listed.views.toSorted()).toEqual([...views, ...words.views].toSorted())
  })

  test('every view that is listed can be seen', async () => {
    await using rig = await start()
    const seen = await Promise.all([...views, ...words.views].map(async (view) => (await rig.control(view)).status))
    expect(new Set(seen)).toEqual(new Set([200]))
  })

  test('an instance is interrupted by one command', async () => {
    await using rig = await start()
    const id = await createRunning(rig, { name: words.worker })
    expect(await rig.control('interrupt', { id })).toMatchObject({ status: 200, json: { done: true } })
    await rig.clock.advance(1000)
    const [, state] = words.interrupted
    expect(await rig.find(id)).toBe(state)
    const offering = { instanceType: words.types.usual, zone: words.zones.home, market: 'spot' }
    expect((await rig.control('instances')).json).toMatchObject([{ state, ...offering, ...words.shown }])
  })

  test.each<[string, string, unknown, [number, string | RegExp]]>([
    ['an unknown verb', 'explode', {}, [404, /There is no verb "explode"\. The verbs are: interrupt, stop, /]],
    ['a field that is missing', 'stop', {}, [400, '"stop" needs the field "id".']],
    [
      'a field that is unknown',
      'vanish',
      { id: 'x', when: 'now' },
      [400, '"vanish" has no field "when"; its fields are: id.'],
    ],
    ['a field of another type', 'stop', { id: 7 }, [400, '"id" must be a string that is not empty.']],
    ['a duration that is none', 'no-capacity', { for: 'long' }, [400, '"for" must be a duration']],
    ['a truth that is none', 'invisible', { [words.truth]: 'yes' }, [400, `"${words.truth}" must be true or false.`]],
    ['a market that is none', 'no-capacity', { market: 'black' }, [400, '"market" must be "spot" or "on-demand".']],
    ['an instance that is not there', 'stop', { id: 'x' }, [400, /^There is no (instance|machine) x;/]],
    ['a hold that is not there', 'release', { hold: 'hold-9' }, [400, 'There is no hold "hold-9";']],
    ['a point that is none', 'hold', { action: '*', when: 'later' }, [400, '"when" must be "before"']],
    ['buckets that are unknown', 'buckets', { table: 'tub' }, [400, '"table" must be "real" or "none".']],
    ['buckets of no size', 'buckets', { table: 'real', scale: 0 }, [400, '"scale" must be a number above 0']],
    ['a lag that ends before it begins', 'lag', { min: '2s', max: '1s' }, [400, '"max" must not be less than "min".']],
    ['a harm that is unknown', 'spoil-next', { action: '*', how: 'burn' }, [400, /"how" must be one of empty-page, /]],
    ['a rate above 1', 'chaos', { rate: 2 }, [400, '"rate" must be a number from 0']],
    ['a chaos that is unknown', 'chaos', { rate: 1, kinds: 'slow, odd' }, [400, /"kinds" must be some of throttle, /]],
    ['a body that is no object', 'stop', [], [400, 'The body must be a JSON object']],
    ...words.refusedSwitches.map(
      ([what, verb, body, message]) =>
        [what, verb, body, [400, message]] as [string, string, unknown, [number, string]],
    ),
  ])('%s is refused in a sentence', async (_, verb, body, [status, message]) => {
    await using rig = await start()
    const answer = await rig.control(verb, body)
    expect(answer.status).toBe(status)
    expect((answer.json as { error: string }).error).toMatch(message)
  })

  test('what is not JSON, and what is not there to see, is refused in a sentence', async () => {
    await using rig = await start()
    const broken = await fetch(`${rig.simulator.url}/_control/stop`, { method: 'POST', body: '{' })
    expect([broken.status, await broken.text()]).toEqual([
      400,
      expect.stringContaining('The body is not JSON') as string,
    ])
    expect(await rig.control('nodes')).toMatchObject({
      status: 404,
      text: expect.stringContaining('There is: instances,') as string,
    })
  })
}

/** Where capacity can be reserved. */
export function reservationCases({ start, words }: SimulatedCloudRig): void {
  const terms = { instanceType: words.types.usual, zone: words.zones.home, count: 1 }

  test.each<[string, string, object, string | RegExp]>([
    ['in no zone', 'reserve', { ...terms, zone: 'x' }, `"zone" must be one of ${words.zones.home}, `],
    [
      'of no type',
      'reserve',
      { ...terms, instanceType: 'x' },
      /There is no (instance|machine) type "x" in the catalogue/,
    ],
    ['that is not there', 'cancel-reservation', { [words.reservationKey ?? 'id']: 'x' }, 'There is no reservation x;'],
  ])('a reservation %s is refused in a sentence', async (_, verb, body, message) => {
    await using rig = await start()
    const { status, json } = await rig.control(verb, body)
    expect(status).toBe(400)
    expect((json as { error: string }).error).toMatch(message)
  })
}
