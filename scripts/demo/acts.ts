import { machineDeployments } from '../../api/kinds.ts'
import { instanceIdOf, isServing, look } from './look.ts'
import type { Site, Stage } from './stage.ts'

/** A sentence that says why the command is not possible now. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}

/** The id of the oldest running instance of a site. */
export async function oldestServing(stage: Stage, site: Site): Promise<string> {
  const serving = (await look(stage, [site])).find(isServing)
  const id = instanceIdOf(serving?.infra)
  if (id) return id
  throw new Impossible(
    `No instance of ${site.cloud.prefix} runs with a Node now. Wait for one, or create more with /scale/3.`,
  )
}

/** As a user would. */
export async function scale({ lab, namespace }: Stage, { deployment }: Site, replicas: number): Promise<void> {
  const patch = { spec: { replicas } }
  await lab.client.mergePatch(machineDeployments, { namespace, name: deployment }, { patch }, lab.ctx)
}
