import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { cacheFolder } from '../../../scripts/cache-folder.mjs'
import { withLock } from '../../../scripts/lock.mjs'
import { startProgress } from '../../../scripts/progress.mjs'
import { buildPart } from './build.ts'
import { cachedProgram, fillFolder, folderOf, readyMadeFolder, sweepUnfinished } from './cache.ts'
import { downloadControlPlane, isPublished } from './download.ts'
import { givenParts } from './given.ts'
import { goProblem } from './go.ts'
import { kubeControllers, kubernetesVersion, recipes, type PartName, type Recipe } from './recipes.ts'

/** The real programs of the lab. */
export interface Parts {
  readonly etcd: string
  readonly kubeApiserver: string
  /** Cluster API's core manager. */
  readonly core: string
  readonly clusterctl: string
  /** Cluster API's `core/config`: its CRDs, webhook and RBAC manifests. */
  readonly coreConfig: string
}

/** Programs that only tests of Pods start. */
export interface KubeControllerParts {
  readonly kubeControllerManager: string
  readonly kubeScheduler: string
}

export interface GetParts {
  cache?: string
  env?: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
  /** The address of envtest's list of releases. */
  indexUrl?: string
}

/**
 * The lab's programs, by the first way that works: named by the environment (as in envtest), cached, downloaded, built
 * from source. Takes minutes the first time, and no time after that.
 */
export async function getParts(options: GetParts = {}): Promise<Parts> {
  const where = await programs(recipes, options)
  const core = where('cluster-api-core')
  return {
    etcd: where('etcd'),
    kubeApiserver: where('kube-apiserver'),
    core,
    clusterctl: where('clusterctl'),
    coreConfig: path.join(path.dirname(core), 'config'),
  }
}

/** The same for the controllers of Kubernetes. They are always built. */
export async function getKubeControllerParts(options: GetParts = {}): Promise<KubeControllerParts> {
  const where = await programs(kubeControllers, options)
  return { kubeControllerManager: where('kube-controller-manager'), kubeScheduler: where('kube-scheduler') }
}

/** Makes what is missing, and returns where each program is. */
async function programs(wanted: readonly Recipe[], options: GetParts): Promise<(name: PartName) => string> {
  const { cache = cacheFolder(), env = process.env, signal } = options
  const given = givenParts(env)
  const missing = () => wanted.filter(({ name }) => !given[name] && !cachedProgram(cache, name).there)
  if (missing().length > 0) {
    await alone(cache, signal, () => make(missing, { ...options, cache, env }))
  }
  return (name) => given[name] ?? cachedProgram(cache, name).program
}

/**
 * Only one process builds at a time, because a build uses the whole computer. The others report which one they wait
 * for.
 */
async function alone(cache: string, signal: AbortSignal | undefined, work: () => Promise<void>): Promise<void> {
  let waiting: ReturnType<typeof startProgress> | undefined
  const onWait = (holder: number) => {
    waiting ??= startProgress(`Waiting for process ${holder}, which gets the parts of the lab`)
  }
  const settled = () => {
    waiting?.done()
    waiting = undefined
  }
  try {
    await withLock(path.join(cache, 'locks', 'parts'), () => (settled(), work()), { signal, onWait })
  } finally {
    settled()
  }
}

type Making = GetParts & { cache: string; env: NodeJS.ProcessEnv }

/** Checks again what is missing, because the last holder of the lock may have built it. */
async function make(missing: () => Recipe[], { cache, env, signal, indexUrl }: Making): Promise<void> {
  await mkdir(cache, { recursive: true })
  await sweepUnfinished(cache)
  const controlPlane = missing().some(({ name }) => name === 'etcd' || name === 'kube-apiserver')
  if (controlPlane && (await isPublished(indexUrl))) {
    const what = `Downloading etcd and kube-apiserver ${kubernetesVersion}`
    await fillFolder(readyMadeFolder(cache), what, (into, say) => downloadControlPlane(into, { indexUrl, say })).catch(
      (error: unknown) => process.stderr.write(`${String(error)}\nBuilding them instead\n`),
    )
  }

  const todo = missing()
  const [first] = todo
  if (!first) return
  const problem = await goProblem(`${first.name} ${first.version}`, { cwd: cache, env, signal })
  if (problem) throw new Error(problem)
  for (const [at, recipe] of todo.entries()) {
    const what = `Building ${recipe.name} ${recipe.version} (part ${at + 1} of ${todo.length}, about ${recipe.about})`
    await fillFolder(folderOf(cache, recipe.name, recipe.version), what, (into, say) =>
      buildPart(recipe, { into, env, signal, say }),
    )
  }
}
