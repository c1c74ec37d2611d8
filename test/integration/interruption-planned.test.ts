import { expect, inject, test } from 'vitest'
import { machines, nodes } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import { plannedAhead } from '../../controllers/interruption/planned/owner-keys.ts'
import { eventually } from '../lab/eventually.ts'
import { AheadRig } from './rigs/ahead-rig.ts'
import { nameOf, watchMachines, type MachineWatch } from './rigs/machine-watch.ts'

const replicas = 3
const patience = { timeoutMs: 180_000 }

/** Running Machines. Core writes that a Machine is available first, and the name of its Node a moment later. */
async function workers(rig: AheadRig, policy: object = {}): Promise<Machine[]> {
  await rig.workers(replicas, policy)
  await rig.running('aws', replicas)
  return rig.all()
}

/** The agent on its Node says that the cloud recommends to replace the instance. */
async function recommend({ status }: Machine, { lab }: AheadRig): Promise<void> {
  const time = new Date().toISOString().replace(/\.\d+Z/, 'Z')
  const whole = {
    status: 'True',
    reason: 'Recommended',
    message: '',
    lastTransitionTime: time,
    lastHeartbeatTime: time,
  }
  const object = {
    metadata: { name: status?.nodeRef?.name ?? '' },
    status: { conditions: [{ type: 'RebalanceRecommended', ...whole }] },
  }
  await lab.client.apply(nodes, object, { fieldManager: 'agent', subresource: 'status', force: true }, lab.ctx)
}

/** The most that had begun at one time since. */
function mostAtOnce({ machines: cache }: MachineWatch): () => number {
  const begun = () => cache.list().filter((machine) => plannedAhead(machine) === true).length
  let most = begun()
  cache.onChange(() => void (most = Math.max(most, begun())))
  return () => most
}

/** Each of them waits for its turn, and says so. */
async function waiting(all: readonly Machine[], rig: AheadRig): Promise<void> {
  await eventually('each waits for its turn', async () => {
    for (const machine of all) expect(await rig.interruption(machine)).toMatchObject({ act: 'Tell', isWaiting: true })
  })
}

/** All of these are gone, and as many others are available. */
async function replaced(old: readonly Machine[], rig: AheadRig): Promise<Machine[]> {
  const names = old.map(nameOf)
  await eventually(
    'all are gone',
    async () => expect((await rig.all()).map(nameOf).filter((name) => names.includes(name))).toEqual([]),
    patience,
  )
  return rig.available(replicas)
}

/** A minute is the least that a policy may say, and most of a test is that minute: so they run beside each other. */
test.concurrent('a rebalance storm with onRebalance Replace: one at a time while all others serve, each once, also when the manager is killed', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const old = await workers(rig, { onRebalance: 'Replace', minHealthySeconds: 60 })
  const bought = rig.bought()
  await using watch = await watchMachines(rig)
  const most = mostAtOnce(watch)
  for (const machine of old) await recommend(machine, rig)
  await waiting(old, rig)
  expect((await rig.all()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined, undefined, undefined])
  await eventually(
    'the first is replaced',
    async () => expect((await rig.all()).map((machine) => plannedAhead(machine))).toContain(true),
    patience,
  )
  rig.lab.manager.kill('SIGKILL')
  await rig.lab.manager.exited
  await rig.startManager()
  const fresh = await replaced(old, rig)
  expect([...watch.made].toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    fresh.map(nameOf).toSorted((a, b) => (a < b ? -1 : 1)),
  )
  expect(rig.bought() - bought).toBe(replicas)
  expect(most(), 'replaced at the same time').toBe(1)
  expect(watch.least(), 'Machines that served').toBeGreaterThanOrEqual(replicas)
  await rig.running('aws', replicas)
  const [youngest] = (await rig.all()).toSorted((a, b) => createdAt(b) - createdAt(a))
  if (!youngest) throw new Error('There is no Machine.')
  await recommend(youngest, rig)
  await waiting([youngest], rig)
  await rig.polls(3)
  expect(rig.bought() - bought, 'a new one that is recommended at once waits').toBe(replicas)
  await rig.end()
})

test.concurrent('maxLifetimeSeconds: those that have run for so long are replaced one at a time, each once', async () => {
  await using rig = await AheadRig.start(inject('cluster'))
  const short = { selector: { matchLabels: { life: 'short' } }, minHealthySeconds: 0, maxLifetimeSeconds: 60 }
  // Of two policies of one second the first by name applies. The replacements have no such label.
  await rig.policy('aws', short, 'age')
  const old = await workers(rig)
  for (const { metadata } of old) await label(metadata.name, rig)
  const bought = rig.bought()
  await using watch = await watchMachines(rig)
  const most = mostAtOnce(watch)
  await eventually(
    'one is replaced because of its age',
    async () => {
      const decided = await Promise.all(old.map((machine) => rig.interruption(machine)))
      expect(decided).toContainEqual(expect.objectContaining({ kind: 'Lifetime', source: 'Clock', act: 'Delete' }))
    },
    patience,
  )
  await replaced(old, rig)
  await rig.polls(3)
  expect(watch.made.size).toBe(replicas)
  expect(rig.bought() - bought).toBe(replicas)
  expect(most(), 'replaced at the same time').toBe(1)
  expect(watch.least(), 'Machines that served').toBeGreaterThanOrEqual(replicas)
  await rig.end()
})

async function label(name: string, { lab, namespace }: AheadRig): Promise<void> {
  await lab.client.mergePatch(
    machines,
    { namespace, name },
    { patch: { metadata: { labels: { life: 'short' } } } },
    lab.ctx,
  )
}

function createdAt({ metadata }: Machine): number {
  return Date.parse(metadata.creationTimestamp ?? '')
}
