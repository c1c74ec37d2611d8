import { expect, test } from 'vitest'
import { keptNodes } from '../kit/instances/kept-nodes.ts'
import { startAzure } from './fixture.ts'

test('where Azure chose the place, nobody says which zone it is', async () => {
  const nodes = keptNodes()
  await using azure = await startAzure({ nodes })
  await azure.launchRunning('m1', { zones: undefined } as never)
  expect(nodes.machines).toMatchObject([{ zone: '0' }])
})
