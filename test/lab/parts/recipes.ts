export type PartName =
  | 'etcd'
  | 'kube-apiserver'
  | 'cluster-api-core'
  | 'clusterctl'
  | 'kube-controller-manager'
  | 'kube-scheduler'

/** How one part is made from the Go module proxy alone. */
export interface Recipe<Name extends string = PartName> {
  /** Its folder in the cache, its file there, and its name in progress lines. */
  readonly name: Name
  readonly version: string
  readonly module: string
  /** The main package to build. */
  readonly program: string
  /** Modules in folders inside `module`, with the same version. */
  readonly nested?: readonly string[]
  /**
   * Kubernetes requires its own libraries at v0.0.0, with a `replace` that works only in its own tree. This is their
   * real version.
   */
  readonly staging?: string
  /** Variables that the project's release build sets with the linker. */
  readonly stamp: Readonly<Record<string, string>>
  /** A folder of the module that is kept beside the program. */
  readonly keep?: string
  /** The time on a computer with two cores, for people who wait. */
  readonly about: string
}

/** The version of Kubernetes in the lab, and of the official envtest download. */
export const kubernetesVersion = '1.36.3'
/** Major, minor and full version under the names that Kubernetes and its family use. */
function stamped(where: string, version: string): Record<string, string> {
  const [major = '', minor = ''] = version.split('.')
  return {
    [`${where}.gitVersion`]: `v${version}`,
    [`${where}.gitMajor`]: major,
    [`${where}.gitMinor`]: minor,
    [`${where}.gitTreeState`]: 'clean',
  }
}

/** The folders in the sources of a Cluster API version. */
interface Layout {
  readonly nested?: readonly string[]
  readonly core: string
  readonly config: string
}

const kubernetes = {
  version: kubernetesVersion,
  module: 'k8s.io/kubernetes',
  staging: kubernetesVersion.replace(/^1/, '0'),
  stamp: stamped('k8s.io/component-base/version', kubernetesVersion),
}

/** Not part of every lab: only tests of Pods start them. */
export const kubeControllers: readonly Recipe[] = [
  {
    ...kubernetes,
    name: 'kube-controller-manager',
    program: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    about: '1 min after kube-apiserver, 3 min without',
  },
  { ...kubernetes, name: 'kube-scheduler', program: 'k8s.io/kubernetes/cmd/kube-scheduler', about: '5 s' },
]

/** Not part of every lab: most computers that need one already have it. */
export const kubectl: Recipe<'kubectl'> = {
  ...kubernetes,
  name: 'kubectl',
  program: 'k8s.io/kubernetes/cmd/kubectl',
  about: '3 min',
}

const clusterApis: Readonly<Record<string, Layout>> = {
  '1.14.2': { nested: ['sigs.k8s.io/cluster-api/api'], core: 'sigs.k8s.io/cluster-api/core', config: 'core/config' },
  '1.13.6': { core: 'sigs.k8s.io/cluster-api', config: 'config' },
}

/** The Cluster API that the lab runs, core and clusterctl, unless the environment asks for the other. */
export const clusterApiVersion: string = process.env['LAB_CLUSTER_API'] ?? '1.14.2'

/** In the order of the builds: what fails quickly comes first. */
export const recipes: readonly Recipe[] = recipesWith(clusterApiVersion)

/** The parts with this version of Cluster API. */
export function recipesWith(clusterApi: string): readonly Recipe[] {
  const [etcd, kubeApiserver] = controlPlane()
  return [etcd, ...clusterApiParts(clusterApi), kubeApiserver]
}

function controlPlane(): [etcd: Recipe, kubeApiserver: Recipe] {
  return [
    {
      name: 'etcd',
      version: '3.6.5',
      module: 'go.etcd.io/etcd/server/v3',
      program: 'go.etcd.io/etcd/server/v3',
      stamp: {},
      about: '1 min',
    },
    { ...kubernetes, name: 'kube-apiserver', program: 'k8s.io/kubernetes/cmd/kube-apiserver', about: '6 min' },
  ]
}

function clusterApiParts(version: string): Recipe[] {
  const layout = clusterApis[version]
  if (!layout) {
    throw new Error(`LAB_CLUSTER_API is ${version}; the lab can be had with ${Object.keys(clusterApis).join(' or ')}.`)
  }
  const { nested, core, config } = layout
  const both = {
    version,
    module: 'sigs.k8s.io/cluster-api',
    ...(nested ? { nested } : {}),
    stamp: stamped('sigs.k8s.io/cluster-api/version', version),
  }
  return [
    { ...both, name: 'cluster-api-core', program: core, keep: config, about: '3 min' },
    { ...both, name: 'clusterctl', program: 'sigs.k8s.io/cluster-api/cmd/clusterctl', about: '30 s' },
  ]
}
