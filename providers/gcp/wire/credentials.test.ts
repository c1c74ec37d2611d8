import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { openGcpProject } from '../../../test/support/clouds/gcp-project.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { Credentials } from './credentials.ts'

let folder: string
const keyFile = () => join(folder, 'key.json')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gcp-credentials-'))
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', keyFile())
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const refusal = async (log = keptLog()) =>
  new Credentials().headers(quietCtx({ log })).catch((thrown: unknown) => thrown)

describe('credentials', () => {
  it('of a service account’s key are a token that the key itself has signed: nobody is asked for one', async () => {
    await using project = await openGcpProject()
    const { authorization = '' } = await new Credentials().headers(quietCtx())
    const [, claims = ''] = authorization.replace(/^Bearer /, '').split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: expect.stringContaining('.iam.gserviceaccount.com') as string,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    })
    expect(project.calls()).toEqual({})
  })

  it('that are not there are denied, with the variable to set', async () => {
    expect(await refusal()).toMatchObject({
      kind: 'denied',
      code: 'CredentialsNotUsable',
      message: expect.stringContaining('Set GOOGLE_APPLICATION_CREDENTIALS') as string,
    })
  })

  it('that cannot be read are shown neither in the error nor in the log', async () => {
    await writeFile(keyFile(), '{"type":"service_account","private_key":canary')
    const log = keptLog()
    const thrown = await refusal(log)
    expect(thrown).toMatchObject({ kind: 'denied' })
    const error = thrown as Error
    expect(
      [error.message, String(error.stack), JSON.stringify(error), String(error.cause), ...log.lines].join(),
    ).not.toContain('canary')
  })

  it('are taken anew after a failure: whoever puts the file there need not restart anything', async () => {
    await using project = await openGcpProject()
    const credentials = new Credentials()
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', keyFile())
    await expect(credentials.headers(quietCtx())).rejects.toMatchObject({ kind: 'denied' })
    await writeFile(keyFile(), JSON.stringify(project.simulator.control.serviceAccountKey()))
    expect(await credentials.headers(quietCtx())).toHaveProperty('authorization')
  })

  it('are not waited for when the signal has fired', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(new Credentials().headers(quietCtx({ signal }))).rejects.toMatchObject({
      kind: 'transient',
      code: 'GivenUp',
    })
  })
})

describe('a token endpoint', () => {
  /** Credentials of a user whose tokens come from here. */
  async function federated(answer: (response: ServerResponse) => void): Promise<AsyncDisposable> {
    const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const subject = join(folder, 'subject')
    await writeFile(subject, 'canary')
    await writeFile(
      keyFile(),
      JSON.stringify({
        type: 'external_account',
        audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url: `${url}/token`,
        credential_source: { file: subject },
      }),
    )
    return {
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    }
  }

  it('that refuses is denied, and of what was sent nothing is shown', async () => {
    await using _ = await federated((response) => response.writeHead(400).end('{"error":"invalid_grant"}'))
    const thrown = (await refusal()) as Error
    expect(thrown).toMatchObject({ kind: 'denied', message: expect.stringContaining('HTTP 400') as string })
    expect([thrown.message, thrown.stack, String(thrown.cause)].join()).not.toContain('canary')
  })

  it('that does not answer is waited for no longer than 15 seconds', async () => {
    const reached = Promise.withResolvers<void>()
    await using _ = await federated(() => reached.resolve())
    const clock = new FakeClock()
    const headers = new Credentials().headers(quietCtx({ clock })).catch((thrown: unknown) => thrown)
    await reached.promise
    await clock.advance(15_000)
    expect(await headers).toMatchObject({ kind: 'transient', code: 'CredentialsUnavailable' })
    expect(clock.pending).toBe(0)
  })
})
