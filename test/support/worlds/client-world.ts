import { inspect } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { ApiserverStub, type Answer } from '../fakes/apiserver-stub.ts'
import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import { createClient, type KubeClient } from '../../../controllers/runtime/client/client.ts'
import type { Connection } from '../../../controllers/runtime/client/kubeconfig.ts'
import type { Resource } from '../../../api/meta.ts'

export const machines: Resource = {
  group: 'x.io',
  version: 'v1',
  plural: 'machines',
  kind: 'Machine',
  namespaced: true,
}
export const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }
export const ref = { namespace: 'ns', name: 'm1' }
export const canary = 'canary-5f1c'

export async function serve(
  answer: Answer,
  over: Partial<Connection> = {},
): Promise<{ stub: ApiserverStub; client: KubeClient }> {
  const stub = await ApiserverStub.start(answer)
  const client = createClient({ server: stub.url, ...over }, { userAgent: 'test/1', timeoutMs: 30_000 })
  onTestFinished(async () => {
    await client.close()
    await stub[Symbol.asyncDispose]()
  })
  return { stub, client }
}

/** Returns the error of the call. A call that succeeds fails the test. */
export async function thrownBy(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    (value) => expect.fail(`no error but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

/** Everything of an error that could be printed. */
export function allOf(error: ApiError): string {
  return inspect(error, { depth: Infinity, showHidden: true, maxStringLength: Infinity })
}
