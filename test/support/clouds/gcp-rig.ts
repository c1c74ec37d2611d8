import type { Site } from '../../../api/attempt.ts'
import type { Cloud } from '../../../providers/cloud.ts'
import { gcpCloud } from '../../../providers/gcp/cloud.ts'
import type { InstanceRef, Launch } from '../../../providers/instances.ts'
import type { Instance } from '../../../api/instance.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { openGcpProject, type GcpProject } from './gcp-project.ts'
import { wantedWith } from './gcp-specs.ts'

export const home = 'us-central1-a'
export const other = 'us-central1-b'

export interface Wish {
  readonly zone?: string
  /** Where the attempt has asked before. */
  readonly at?: Site
  readonly token?: string
  readonly action?: 'Stop' | 'Delete'
}

/** The adapter in front of a simulated project, with what tests of machines need. */
export interface GcpRig extends GcpProject {
  /** That of the process which runs now. */
  readonly cloud: () => Cloud
  /** Another process takes over: it remembers nothing. */
  restart(): void
  /** What an attempt keeps of its plan. */
  planned(wish?: Wish): Promise<{ at: Site }>
  launch(wish?: Wish): Promise<Launch>
  create(wish?: Wish): Promise<Instance>
  refTo(want: Launch, id?: string): InstanceRef
  listed(): Promise<{ items: Instance[]; complete: boolean }>
  /** How often the operations have been listed. */
  operationLists(): number
  /** Boots, stops and ends arrive. */
  settle(): Promise<void>
  /** A call by somebody else. `path`: after the project. */
  somebody(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void>
}

export async function openGcpRig(): Promise<GcpRig> {
  const project = await openGcpProject()
  const { facts, url } = project.simulator
  let cloud = gcpCloud()
  const plan = ({ zone = home, at, action }: Wish) => {
    const wanted = wantedWith({
      failureDomain: zone,
      ...(at ? { at } : {}),
      machine: { image: facts.image, provisioningModel: 'Spot', instanceTerminationAction: action },
      cluster: { project: facts.project, region: facts.region, network: { subnets: [{ name: 'spot' }] } },
    })
    return cloud.plan(wanted, project.ctx())
  }
  const launch = async ({ token = 'tokennumber1', ...wish }: Wish = {}): Promise<Launch> => {
    const { request } = await plan(wish)
    const userData = new TextEncoder().encode('#cloud-config\n')
    const whose = { owner: 'ownerone01', machine: `default/m-${token}`, token }
    return { ...whose, scope: project.scope, request, userData, clusterName: 'c1' }
  }
  return {
    ...project,
    cloud: () => cloud,
    restart: () => {
      cloud = gcpCloud()
    },
    async planned(wish = {}) {
      const { subnet: place, offering } = await plan(wish)
      return { at: { subnet: place, zone: offering.zone } }
    },
    launch,
    create: async (wish) => cloud.instances.create(await launch(wish), project.ctx()),
    refTo(want, id) {
      const name = cloud.nameOf(want)
      return { scope: want.scope, tag: tagOf(want), ...(name ? { name } : {}), ...(id ? { id } : {}) }
    },
    async listed() {
      const items: Instance[] = []
      let complete = false
      for await (const page of cloud.instances.list(project.scope, project.ctx())) {
        items.push(...page.items)
        complete = page.complete
      }
      return { items, complete }
    },
    operationLists: () => project.calls()['globalOperations.aggregatedList'] ?? 0,
    settle: () => project.clock.advance(30_000),
    async somebody(method, path, body) {
      const answer = await fetch(`${url}/compute/v1/projects/${facts.project}/${path}`, {
        method,
        headers: { authorization: 'Bearer somebody' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}

/** GCE's own id of an instance, by which the simulator knows it too. */
export function numeric({ id }: Instance): string {
  return id.slice(id.indexOf('/') + 1)
}

export function pathOf({ zone, name }: Instance): string {
  return `zones/${zone}/instances/${name}`
}
