import { expect, test } from 'vitest'
import { keptNodes } from '../kit/instances/kept-nodes.ts'
import { startEc2 } from './fixture.ts'
import { somewhere } from '../kit/somewhere.ts'
import { standardWorld } from './world.ts'

test('two simulators do not name their Nodes alike', async () => {
  const names = await Promise.all(
    [1, 2].map(async () => {
      const nodes = keptNodes()
      await using ec2 = await startEc2({ nodes, world: standardWorld(somewhere()) })
      await ec2.launch({ MinCount: 3, MaxCount: 3 })
      await ec2.clock.advance(2000)
      return nodes.said
    }),
  )
  expect(new Set(names.flat()).size).toBe(6)
})
