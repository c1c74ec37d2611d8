import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Condition } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { Node } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { Answer, Call, Request } from './request.ts'
import type { Settings } from './settings.ts'

/** The API server has refused. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(what: string, status: number) {
    super(`${what} was answered with ${status}.`)
    this.status = status
  }
}

export const fieldManager = 'capspot-agent'

const timeoutMs = 5_000
/** A Node names its images, its volumes and all field managers. */
const mostBytes = 4 * 1024 * 1024
/** Of an answer to a write, nothing is needed. */
const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

/** The three requests that config/agent allows. */
export class ApiServer {
  readonly #settings: Settings
  readonly #request: Request

  constructor(settings: Settings, request: Request) {
    this.#settings = settings
    this.#request = request
  }

  async ownNode(ctx: Ctx): Promise<Node> {
    const { body } = await this.#ask('The read of the Node', { path: this.#nodePath }, ctx)
    return JSON.parse(body) as Node
  }

  /** Server-side apply: the conditions of others stay as they are. */
  async apply(conditions: readonly Condition[], ctx: Ctx): Promise<void> {
    const object = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: this.#settings.node },
      status: { conditions },
    }
    const call = {
      method: 'PATCH',
      path: `${this.#nodePath}/status?fieldManager=${fieldManager}&force=true`,
      headers: { 'content-type': 'application/apply-patch+yaml', accept: metadataOnly },
      body: JSON.stringify(object),
    } as const
    await this.#ask('The write of the conditions', call, ctx)
  }

  /** True if the Pod of this process is gone too. */
  async podIsEnding(ctx: Ctx): Promise<boolean> {
    const { namespace, name } = this.#settings.pod
    try {
      const { body } = await this.#ask(
        'The read of the Pod',
        { path: `/api/v1/namespaces/${namespace}/pods/${name}` },
        ctx,
      )
      return (JSON.parse(body) as KubeObject).metadata.deletionTimestamp !== undefined
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return true
      throw error
    }
  }

  get #nodePath(): string {
    return `/api/v1/nodes/${this.#settings.node}`
  }

  async #ask(what: string, call: Pick<Call, 'method' | 'body'> & Ask, ctx: Ctx): Promise<Answer> {
    const { path: target, headers = {}, ...rest } = call
    const { apiServer, credentials } = this.#settings
    // Both are read again each time, because the kubelet renews them, and requests are rare.
    const [token, ca] = await Promise.all(
      ['token', 'ca.crt'].map((file) => readFile(path.join(credentials, file), 'utf8')),
    )
    const answer = await this.#request(
      {
        url: apiServer + target,
        headers: { accept: 'application/json', ...headers, authorization: `Bearer ${token?.trim()}` },
        timeoutMs,
        mostBytes,
        ...(ca === undefined ? {} : { ca }),
        ...rest,
      },
      ctx,
    )
    if (answer.status !== 200) throw new Refused(what, answer.status)
    return answer
  }
}

interface Ask {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}
