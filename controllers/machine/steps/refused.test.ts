import { beforeEach, expect, it } from 'vitest'
import { annotations } from '../../../api/labels.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = new MachineWorld()
  await world.pass()
  await world.listed()
})

it.each(['rung', 'constructor', '__proto__'])(
  'a refusal of a kind that this version does not know, %s, stands: the machine failed, and nothing more is asked',
  async (unknown) => {
    const error = new CloudError('capacity', { code: 'NoCapacity', message: 'None.' })
    world.cloud.createFaults.push({ when: 'before', error })
    await world.pass()
    const refused = { kind: unknown, code: 'NewCode', message: 'No rung is left.', isFinal: true }
    const attempt = JSON.stringify({ ...world.attempt, refused })
    const metadata = { ...world.machine?.metadata, annotations: { [annotations.attempt]: attempt } }
    world.apiserver.put(kind, { ...world.machine, metadata } as never)
    await world.restart()
    expect(await world.pass()).toBe('done')
    expect(world.ready).toMatchObject({ status: 'False', reason: 'LaunchFailed' })
    expect(world.ready?.message).toContain('NewCode: No rung is left.')
    expect(world.cloud.count('create')).toBe(1)
  },
)
