import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietCtx } from '../fakes/quiet-ctx.ts'
import { startGcpSimulator, type GcpSimulator, type GcpSimulatorOptions } from '../../simulators/gcp/simulator.ts'
import { standardWorld } from '../../simulators/gcp/world.ts'

/** A simulated project of Google Cloud to which the variables lead until it is closed. */
export interface GcpProject extends AsyncDisposable {
  readonly clock: FakeClock
  readonly simulator: GcpSimulator
  readonly scope: Scope
  readonly ctx: () => Ctx
  /** How often each call was made. */
  calls(): Record<string, number>
}

export async function openGcpProject(options: Partial<GcpSimulatorOptions> = {}): Promise<GcpProject> {
  const clock = new FakeClock()
  const simulator = await startGcpSimulator({ clock, world: standardWorld(), ...options })
  const { facts, control } = simulator
  const folder = await mkdtemp(join(tmpdir(), 'gcp-project-'))
  const keyFile = join(folder, 'key.json')
  await writeFile(keyFile, serviceAccountKey(simulator), { mode: 0o600 })
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', keyFile)
  vi.stubEnv('CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE', simulator.url)
  return {
    clock,
    simulator,
    scope: { cloud: 'gcp', identity: 'default', account: facts.project, region: facts.region },
    ctx: () => quietCtx({ clock }),
    calls() {
      const counts: Record<string, number> = {}
      for (const { action } of control.requests()) counts[action] = (counts[action] ?? 0) + 1
      return counts
    },
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs()
      await simulator.close()
      await rm(folder, { recursive: true })
    },
  }
}

let key: string | undefined

/** To make a key takes long, and every simulator accepts what any of them has signed. */
function serviceAccountKey({ control }: GcpSimulator): string {
  key ??= JSON.stringify(control.serviceAccountKey())
  return key
}
