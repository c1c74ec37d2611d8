import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { loadAll } from 'js-yaml'
import type { Ctx } from '../../api/ctx.ts'
import { isNotFound } from '../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../controllers/runtime/client/client.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'

/** An object as it stands in a manifest. */
export type Manifest = KubeObject & { apiVersion: string; kind: string }

/** The objects of a YAML file, or of all YAML files of a folder in the order of their names. */
export async function readManifests(place: string): Promise<Manifest[]> {
  if (!(await stat(place)).isDirectory()) return manifestsIn(await readFile(place, 'utf8'))
  const names = (await readdir(place)).filter((name) => /\.ya?ml$/.test(name)).sort()
  const objects = await Promise.all(names.map((name) => readManifests(path.join(place, name))))
  return objects.flat()
}

function manifestsIn(text: string): Manifest[] {
  return loadAll(text).filter(isManifest)
}

/** A document without a name is no object: kustomize's own files are among the manifests. */
function isManifest(document: unknown): document is Manifest {
  const { kind, metadata } = (document ?? {}) as Partial<Manifest>
  return typeof kind === 'string' && typeof metadata?.name === 'string'
}

/** Every kind of a group and version that the API server serves. */
export async function kindsOf(apiVersion: string, client: KubeClient, ctx: Ctx): Promise<Resource[]> {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const answer = await client.raw(group ? `/apis/${group}/${version}` : `/api/${version}`, ctx)
  const { resources } = JSON.parse(answer) as { resources: { name: string; kind: string; namespaced: boolean }[] }
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced }) => ({ group, version, plural: name, kind, namespaced }))
}

/** Applies and deletes objects of any kind of the API server, as `kubectl` does with a manifest. */
export class Applier {
  readonly #client: KubeClient
  readonly #ctx: Ctx
  readonly #served = new Map<string, Promise<Resource[]>>()

  constructor(client: KubeClient, ctx: Ctx) {
    this.#client = client
    this.#ctx = ctx
  }

  /** In this order. Returns the objects of the server. */
  async apply(objects: readonly Manifest[]): Promise<Manifest[]> {
    const applied: Manifest[] = []
    for (const object of objects) {
      const options = { fieldManager: 'lab', force: true }
      applied.push(await this.#client.apply(await this.resourceOf(object), object, options, this.#ctx))
    }
    return applied
  }

  /** A missing object needs no deletion. */
  async delete(objects: readonly Manifest[]): Promise<void> {
    for (const object of objects) {
      const { namespace = '', name } = object.metadata
      const deleting = this.#client.delete(await this.resourceOf(object), { namespace, name }, {}, this.#ctx)
      await deleting.catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
    }
  }

  async resourceOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): Promise<Resource> {
    const known = this.#served.get(apiVersion) ?? kindsOf(apiVersion, this.#client, this.#ctx)
    this.#served.set(apiVersion, known)
    const resource = (await known).find((candidate) => candidate.kind === kind)
    if (resource) return resource
    // Its definition may be newer than our last read.
    this.#served.delete(apiVersion)
    throw new Error(`The API server serves no ${kind} of ${apiVersion}.`)
  }
}
