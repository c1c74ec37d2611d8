import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { load } from 'js-yaml'
import type { KubeObject } from '../../api/meta.ts'
import { ApiError } from '../../controllers/runtime/client/api-error.ts'
import { Transport } from '../../controllers/runtime/client/transport.ts'
import type { Lab } from '../lab/lab.ts'
import { connectionOf } from '../lab/processes/management-cluster.ts'
import type { Manifest } from '../lab/objects.ts'
import { eventually } from '../lab/eventually.ts'
import type { Found, Upstream } from './documents.ts'

/** What became of an object that its own provider accepts. */
export interface Verdict extends Found {
  /** Why ours refuses it; undefined: it is accepted. */
  readonly refusal: string | undefined
}

interface Kind {
  readonly group: string
  readonly names: { readonly plural: string }
  readonly versions: readonly { readonly name: string; readonly served: boolean }[]
  /** A webhook that is not there. */
  conversion?: unknown
}

/** Tries objects on an API server that has the kinds of all providers, and creates nothing. */
export class Trial implements AsyncDisposable {
  readonly #lab: Lab
  readonly #transport: Transport

  constructor(lab: Lab) {
    this.#lab = lab
    this.#transport = new Transport(connectionOf(lab.cluster.admin), { userAgent: 'upstream', timeoutMs: 30_000 })
  }

  /** The machine kinds of the providers in the folder. */
  async install(folder: string): Promise<void> {
    const names = await readdir(folder, { recursive: true })
    const files = names.filter((name) =>
      /config\/crd\/bases\/[^/]*_(aws|azure|gcp|ibmvpc)machine(template)?s\.yaml$/.test(name),
    )
    if (files.length === 0) throw new Error(`${folder} has no config/crd/bases of any provider.`)
    for (const file of files) {
      const crd = load(await readFile(path.join(folder, file), 'utf8')) as Manifest & { spec: Kind }
      delete crd.spec.conversion
      await this.#lab.apply([{ ...crd, metadata: { name: crd.metadata.name } }])
      await this.#isServed(crd.spec)
    }
  }

  async #isServed({ group, names, versions }: Kind): Promise<void> {
    for (const { name } of versions.filter(({ served }) => served)) {
      const path = `/apis/${group}/${name}/namespaces/default/${names.plural}`
      await eventually(`${path} is served`, () => this.#transport.text({ method: 'GET', path }, this.#lab.ctx))
    }
  }

  /** Undefined where its own provider refuses it: it is a fragment, or wrong. */
  async verdict({ file, object }: Found): Promise<Verdict | undefined> {
    if ((await this.#refusal(object)) !== undefined) return undefined
    return { file, object, refusal: await this.#refusal(asOurs(object)) }
  }

  async #refusal(object: Upstream): Promise<string | undefined> {
    const plural = `${object.kind.toLowerCase()}s`
    const named = { ...object, metadata: { ...object.metadata, namespace: 'default' } } as unknown as KubeObject
    const path = `/apis/${object.apiVersion}/namespaces/default/${plural}?dryRun=All&fieldValidation=Strict`
    const body = { json: named, type: 'application/json' }
    try {
      await this.#transport.text({ method: 'POST', path, body }, this.#lab.ctx)
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return error.message
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close()
  }
}

function asOurs({ kind, ...rest }: Upstream): Upstream {
  return { ...rest, kind: kind.replace(/^IBMVPC/, 'IBM'), apiVersion: 'spot.cluster.x-k8s.io/v1alpha1' }
}
