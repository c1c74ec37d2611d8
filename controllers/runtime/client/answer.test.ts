import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApiserverStub, type Answer } from '../../../test/support/fakes/apiserver-stub.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { createClient, type KubeClient } from './client.ts'
import type { Resource } from '../../../api/meta.ts'

const machines: Resource = { group: 'x.io', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true }
const ref = { namespace: 'ns', name: 'm1' }

async function serve(answer: Answer, maxAnswerBytes?: () => number): Promise<KubeClient> {
  const stub = await ApiserverStub.start(answer)
  const client = createClient({ server: stub.url }, { userAgent: 'test/1', maxAnswerBytes })
  onTestFinished(async () => {
    await client.close()
    await stub[Symbol.asyncDispose]()
  })
  return client
}

/** Sends for as long as the connection takes it; `sent` is what it took. */
function endless(status = 200): { answer: Answer; sent: () => number } {
  let socket: Socket | undefined
  const answer: Answer = (request, response) => {
    socket = request.socket
    response.writeHead(status, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }
  return { answer, sent: () => socket?.bytesWritten ?? 0 }
}

const mib = 1024 * 1024

describe('C2: an answer without an end', () => {
  it('is cut off while it comes, at the size that the client was given for it', async () => {
    const { answer, sent } = endless()
    const client = await serve(answer, () => 64 * 1024)
    await expect(client.raw('/version', quietCtx())).rejects.toMatchObject({
      status: 0,
      reason: 'TooLarge',
      message: 'The answer to GET /version is larger than 64 KiB.',
    })
    // Bytes that the sockets hold count as sent.
    expect(sent()).toBeLessThan(32 * mib)
  })

  it('is cut off at 8 MiB where the client was given nothing', async () => {
    const { answer, sent } = endless()
    const client = await serve(answer)
    await expect(client.get(machines, ref, quietCtx())).rejects.toMatchObject({ reason: 'TooLarge' })
    expect(sent()).toBeLessThan(40 * mib)
  })

  it('of a refusal is cut off, too, and the refusal counts', async () => {
    const { answer, sent } = endless(503)
    const client = await serve(answer)
    await expect(client.get(machines, ref, quietCtx())).rejects.toMatchObject({ status: 503, reason: 'NoStatus' })
    expect(sent()).toBeLessThan(32 * mib)
  })
})
