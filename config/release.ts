import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { dump, load } from 'js-yaml'
import { componentsOf, everything, type Component } from './components.ts'

const root = path.join(import.meta.dirname, '..')
const examples = path.join(root, 'examples')

export interface Release {
  /** As in a tag: v0.1.0. */
  readonly version: string
  /** The image of the manager. Left out, it is that of config/manager with the version as its tag. */
  readonly image?: string | undefined
  /** The same of the agent. */
  readonly agentImage?: string | undefined
}

/** A sentence about a wrong argument. */
export class BadRelease extends Error {
  override readonly name = 'BadRelease'
}

/** The files of a release by their names, as clusterctl looks for them in a provider's repository. */
export function releaseFiles({ version, image, agentImage }: Release): Record<string, string> {
  const metadata = readFileSync(path.join(import.meta.dirname, 'metadata.yaml'), 'utf8')
  checkVersion(version, metadata)
  const templates = cloudsOf(examples).map((cloud) => [`cluster-template-${cloud}.yaml`, clusterTemplate(cloud)])
  return {
    'infrastructure-components.yaml': manifestOf(everything, image, version),
    // clusterctl does not read it: users apply it to workload clusters.
    'agent.yaml': manifestOf(path.join(import.meta.dirname, 'agent'), agentImage, version),
    'metadata.yaml': metadata,
    ...(Object.fromEntries(templates) as Record<string, string>),
  }
}

/** The objects of a kustomization with the image of a release. */
function manifestOf(folder: string, image: string | undefined, version: string): string {
  const components = componentsOf(folder).map((component) =>
    /^(Deployment|DaemonSet)$/.test(component.kind)
      ? withImage(component as Workload, (dev) => image ?? tagged(dev, version))
      : component,
  )
  // Without anchors: not every YAML parser takes as many aliases as the CRDs have.
  return components.map((component) => dump(component, { noRefs: true, lineWidth: -1 })).join('---\n')
}

interface Metadata {
  readonly releaseSeries: readonly { readonly major: number; readonly minor: number }[]
}

function checkVersion(version: string, metadata: string): void {
  const [, major, minor] = /^v(\d+)\.(\d+)\.\d+(?:-[0-9A-Za-z.-]+)?$/.exec(version) ?? []
  if (major === undefined) {
    throw new BadRelease(`${JSON.stringify(version)} is not a version; use a version such as v0.1.0.`)
  }
  const { releaseSeries } = load(metadata) as Metadata
  if (releaseSeries.some((series) => series.major === Number(major) && series.minor === Number(minor))) return
  throw new BadRelease(
    `${version} is in no series of config/metadata.yaml, and clusterctl would refuse it; add major ${major}, minor ${minor} there.`,
  )
}

interface Workload extends Component {
  spec: { template: { spec: { containers: { image: string }[] } } }
}

function withImage(workload: Workload, change: (image: string) => string): Component {
  const copy = structuredClone(workload)
  for (const container of copy.spec.template.spec.containers) container.image = change(container.image)
  return copy
}

function tagged(image: string, version: string): string {
  return image.replace(/:[^:/]*$/, `:${version}`)
}

function cloudsOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries.map(({ name }) => name).toSorted()
}

/** A flavor of `clusterctl generate cluster`: the examples of a cloud, one after the other. */
function clusterTemplate(cloud: string): string {
  const head = `# Made of examples/${cloud}/cluster.yaml and examples/${cloud}/workers.yaml. What it takes:
#
#   clusterctl generate cluster NAME --infrastructure spot --flavor ${cloud} --list-variables
`
  const parts = ['cluster.yaml', 'workers.yaml'].map((file) =>
    withoutHead(readFileSync(path.join(examples, cloud, file), 'utf8')),
  )
  return head + parts.join('---\n')
}

/** Removes the head of an example, which says how to apply it alone. */
function withoutHead(text: string): string {
  return text.replace(/^(#.*\n)+/, '')
}
