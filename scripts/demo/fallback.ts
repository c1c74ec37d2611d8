import { core } from '../../api/labels.ts'
import type { Manifest } from '../../test/lab/objects.ts'
import { demandAllServe, isServing, look, rowOf, saidOf, type Sight } from './look.ts'
import type { Site, Stage } from './stage.ts'
import { demand, StepFailed, type Steps } from './steps.ts'

interface Deployment extends Manifest {
  readonly spec: {
    readonly selector: { readonly matchLabels: object }
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: { infrastructureRef: object } }
  }
}

interface MachineTemplate extends Manifest {
  readonly spec: { readonly template: { readonly spec: object } }
}

/** AWS has no spot capacity for a while. A Machine with `fallback` gets an instance all the same. */
export async function fallBackOnce(stage: Stage, steps: Steps): Promise<void> {
  const site = stage.sites.find(({ cloud }) => cloud.name === 'aws')
  if (!site) throw new StepFailed('The demo has no AWS.')
  const manifests = withFallback(stage, site)
  const name = `${site.deployment}-fallback`
  await steps.take({
    what: `${site.cloud.prefix} has no spot capacity: a Machine with fallback runs on demand`,
    withinMs: 180_000,
    async first() {
      site.cloud.control.noCapacity({ market: 'spot' })
      await stage.lab.apply(manifests)
    },
    async holds() {
      const [sight, ...others] = (await look(stage, [site])).filter((one) => deploymentOf(one) === name)
      demand(sight !== undefined && others.length === 0, 'There is no such Machine yet.')
      demand(isServing(sight), `The Machine is ${rowOf(sight).state || 'new'}.`)
      const said = await saidOf(stage, site, sight.machine.metadata.name)
      const fell = said.find((message) => / is \S+ on demand in \S+, after a refusal\. /.test(message))
      demand(fell !== undefined, `The Machine reports: ${said.join(' ')}`)
      return fell
    },
  })
  await steps.take({
    what: `${site.cloud.prefix} has spot capacity again, and that MachineDeployment is deleted with its instance`,
    withinMs: 180_000,
    async first() {
      site.cloud.control.capacityBack({ market: 'spot' })
      await stage.lab.delete(manifests.toReversed())
    },
    holds: () => demandAllServe(stage, site),
  })
}

function deploymentOf({ machine: { metadata } }: Sight): string | undefined {
  return metadata.labels?.[core.deploymentName]
}

/** The example's workers once more: one Machine, which may also be bought on demand. */
function withFallback({ applied, namespace }: Stage, { deployment, cloud: { prefix } }: Site): Manifest[] {
  const of = (kind: string) =>
    applied.find((object) => object.kind === kind && object.metadata.name === deployment) as unknown
  const [template, workers] = [of(`${prefix}MachineTemplate`) as MachineTemplate, of('MachineDeployment') as Deployment]
  const name = `${deployment}-fallback`
  const metadata = { name, namespace, labels: workers.metadata.labels }
  const pool = { pool: name }
  const { spec } = workers
  return [
    {
      ...template,
      metadata: { name, namespace },
      spec: { template: { spec: { ...template.spec.template.spec, fallback: [{ capacityType: 'OnDemand' }] } } },
    } as Manifest,
    {
      ...workers,
      metadata,
      spec: {
        ...spec,
        replicas: 1,
        selector: { matchLabels: { ...spec.selector.matchLabels, ...pool } },
        template: {
          metadata: { labels: { ...spec.template.metadata.labels, ...pool } },
          spec: { ...spec.template.spec, infrastructureRef: { ...spec.template.spec.infrastructureRef, name } },
        },
      },
    } as Manifest,
  ]
}
