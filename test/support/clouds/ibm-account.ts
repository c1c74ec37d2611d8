import { vi } from 'vitest'
import type { Ctx } from '../../../api/ctx.ts'
import type { Scope } from '../../../api/scope.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietCtx } from '../fakes/quiet-ctx.ts'
import { startIbmSimulator, type IbmSimulator, type IbmSimulatorOptions } from '../../simulators/ibm/simulator.ts'
import { standardWorld } from '../../simulators/ibm/world.ts'

/** A simulated account of IBM Cloud to which the variables lead until it is closed. */
export interface IbmAccount extends AsyncDisposable {
  readonly clock: FakeClock
  readonly simulator: IbmSimulator
  readonly scope: Scope
  readonly ctx: () => Ctx
  /** How often each call was made, tokens aside. */
  calls(): Record<string, number>
}

export async function openIbmAccount(options: Partial<IbmSimulatorOptions> = {}): Promise<IbmAccount> {
  const clock = new FakeClock()
  const simulator = await startIbmSimulator({ clock, world: standardWorld(), ...options })
  const { facts, control } = simulator
  vi.stubEnv('IBMCLOUD_API_KEY', facts.apikey)
  vi.stubEnv('IBMCLOUD_VPC_API_ENDPOINT', simulator.url)
  vi.stubEnv('IBMCLOUD_IAM_API_ENDPOINT', simulator.url)
  return {
    clock,
    simulator,
    scope: { cloud: 'ibm', identity: 'default', region: facts.region },
    ctx: () => quietCtx({ clock }),
    calls() {
      const counts: Record<string, number> = {}
      for (const { action } of control.requests()) {
        if (/_/.test(action) && !/token/i.test(action)) counts[action] = (counts[action] ?? 0) + 1
      }
      return counts
    },
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs()
      await simulator.close()
    },
  }
}
