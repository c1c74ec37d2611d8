import { onTestFinished } from 'vitest'
import { Arm } from '../../../providers/azure/wire/client.ts'
import { azureInstances } from '../../../providers/azure/instances.ts'
import { nameFor } from '../../../providers/shared/instance-name.ts'
import { plan } from '../../../providers/azure/launch/plan.ts'
import { readWanted, scopeOf } from '../../../providers/azure/launch/wanted.ts'
import type { CallMade, CloudSettings } from '../../../providers/cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { InstanceRef, Launch } from '../../../providers/instances.ts'
import type { Instance } from '../../../api/instance.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { wantedWith, type Given } from './azure-specs.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietCtx } from '../fakes/quiet-ctx.ts'
import { startAzureSimulator } from '../../simulators/azure/simulator.ts'
import { standardWorld } from '../../simulators/azure/world.ts'

export interface GivenLaunch extends Given {
  readonly token?: string
}

/** What the control of the simulator shows when nothing is left. */
export const nothingLeft = { instances: [], interfaces: [], disks: [], addresses: [] }

/** The adapter in front of its simulator, on a clock that stands still, without an authority. It ends with its test. */
export async function startAzureRig(settings: Omit<CloudSettings, 'onCall'> = {}) {
  const clock = new FakeClock()
  const simulator = await startAzureSimulator({ clock, world: standardWorld(), pageSize: 3 })
  const { facts, control, url } = simulator
  onTestFinished(() => simulator.close())
  const calls: CallMade[] = []
  const nobody = { getToken: () => Promise.resolve({ token: 'not-a-token', expiresOnTimestamp: Infinity }) }
  const onCall = (call: CallMade) => calls.push(call)
  const arm = new Arm(nobody, { AZURE_RESOURCE_MANAGER_ENDPOINT: url }, { ...settings, onCall })
  const instances = azureInstances(arm)
  const ctx = quietCtx({ clock })
  const launch = ({ token = 'tokennumber1', name = 'm1', ...rest }: GivenLaunch = {}): Launch => {
    const { resourceGroup, location, subscription: subscriptionID } = facts
    const wanted = wantedWith({
      ...rest,
      machine: { image: { id: facts.image }, spotVMOptions: {}, ...rest.machine },
      cluster: { resourceGroup, location, subscriptionID, ...rest.cluster },
    })
    const scope = scopeOf(wanted.cluster, {})
    const [subnet = 'nodes'] = (wanted.cluster.spec.networkSpec.subnets ?? []).map((one) => one.name)
    const { request } = plan(readWanted(wanted, scope), [subnet])
    const userData = new TextEncoder().encode('#cloud-config\n')
    return { owner: 'ownerone01', machine: `default/${name}`, token, scope, request, userData, clusterName: 'c1' }
  }
  const terminate = (want: Launch) => instances.terminate(refTo(want), ctx)
  return {
    clock,
    simulator,
    control,
    facts,
    calls,
    arm,
    instances,
    ctx,
    launch,
    terminate,
    create: (given?: GivenLaunch) => instances.create(launch(given), ctx),
    refused: async (given?: GivenLaunch): Promise<CloudError> => {
      const outcome = await instances.create(launch(given), ctx).catch((error: unknown) => error)
      if (outcome instanceof CloudError) return outcome
      throw new Error('It was not refused.')
    },
    settle: () => clock.advance(60_000),
    listed: async (): Promise<Instance[]> => {
      const all: Instance[] = []
      for await (const page of instances.list(launch().scope, ctx)) all.push(...page.items)
      return all
    },
    /** Until it is gone. */
    remove: async (want: Launch): Promise<void> => {
      for (let asked = 0; (await terminate(want)) !== 'gone'; asked++) {
        if (asked === 5) throw new Error('It does not go.')
        await clock.advance(60_000)
      }
    },
    actions: () => calls.map(({ action }) => action),
  }
}

export type AzureRig = Awaited<ReturnType<typeof startAzureRig>>

export function refTo(want: Launch): InstanceRef {
  return { scope: want.scope, tag: tagOf(want), name: nameFor(want) }
}
