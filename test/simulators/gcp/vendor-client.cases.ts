import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { systemClock } from '../../../controllers/runtime/process/clock.ts'
import { startGcpSimulator } from './simulator.ts'
import { standardWorld } from './world.ts'

const program = fileURLToPath(new URL('vendor-client.ts', import.meta.url))

// Nearly all of its time is the vendor's import, which on a busy machine takes many seconds.
test("the vendor's own client inserts, waits, gets, lists and deletes", async () => {
  const delays = { bootMs: 20, stopMs: 20, shutdownMs: 20 }
  const simulator = await startGcpSimulator({ clock: systemClock, world: standardWorld(), ...delays })
  const child = spawn(process.execPath, [program, JSON.stringify(simulator.facts)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const [seen, said] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (seen === '') throw new Error(said)
    const resource = "The resource 'projects/spot-simulated/zones/us-central1-a/instances/vendor'"
    expect(JSON.parse(seen)).toEqual({
      operation: ['RUNNING', 'DONE', true],
      shown: ['vendor', 'RUNNING', '10.0.0.2', 'SPOT'],
      sameId: true,
      listed: ['zones/us-central1-a vendor', 'zones/us-east1-b NO_RESULTS_ON_PAGE'],
      // Codes of gRPC: ALREADY_EXISTS or ABORTED for a 409, NOT_FOUND, UNAUTHENTICATED.
      taken: [10, `${resource} already exists`],
      unauthenticated: [16, expect.stringContaining('missing required authentication credential')],
      gone: [5, `${resource} was not found`],
      left: ['zones/us-east1-b NO_RESULTS_ON_PAGE'],
    })
    expect(simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
  } finally {
    child.kill('SIGKILL')
    await simulator.close()
  }
})
