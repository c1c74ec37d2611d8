import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestAuthority } from '../../../test/support/fakes/certificate.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { KubeconfigNotSupported, loadConnection } from './kubeconfig.ts'

const authority = createTestAuthority('authority')
const user = authority.issue('user-1')
const base64 = (text: string) => Buffer.from(text).toString('base64')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
})
afterEach(() => rm(folder, { recursive: true }))

const put = async (name: string, text: string) => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

describe("the operator's kubeconfig", () => {
  const kubeconfig = (user: object, cluster: object = {}) =>
    put(
      'config',
      dump({
        'current-context': 'main',
        contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
        users: [{ name: 'u', user }],
      }),
    )

  it('may hold everything inline', async () => {
    const file = await kubeconfig(
      { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) },
      { 'certificate-authority-data': base64(authority.cert), 'tls-server-name': 'api.example' },
    )
    expect(await loadConnection(file, quietCtx())).toEqual({
      server: 'https://10.0.0.1:6443',
      ca: authority.cert,
      serverName: 'api.example',
      cert: user.cert,
      key: user.key,
    })
  })

  it('may name files, beside itself or anywhere', async () => {
    await put('ca.pem', authority.cert)
    await put('cert.pem', user.cert)
    const key = await put('key.pem', user.key)
    const credentials = { 'client-certificate': 'cert.pem', 'client-key': key, tokenFile: './token' }
    const file = await kubeconfig(credentials, { 'certificate-authority': 'ca.pem' })
    const connection = await loadConnection(file, quietCtx())
    expect(connection).toMatchObject({ ca: authority.cert, cert: user.cert, key: user.key })
    await put('token', 'token-1\n')
    expect(await connection.token?.()).toBe('token-1')
  })

  it('may hold a token, and an http server, as kubectl proxy is one', async () => {
    const file = await kubeconfig({ token: 'token-1' }, { server: 'http://127.0.0.1:8001' })
    const connection = await loadConnection(file, quietCtx())
    expect(connection.server).toBe('http://127.0.0.1:8001')
    expect(await connection.token?.()).toBe('token-1')
  })

  it('may trust any server, which the log says', async () => {
    const log = keptLog()
    const file = await kubeconfig({ token: 't' }, { 'insecure-skip-tls-verify': true })
    expect(await loadConnection(file, quietCtx({ log }))).toMatchObject({ insecureSkipVerify: true })
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toContain('Trusting any API server')
  })

  it('may run a plugin, whose token is asked for anew when it has expired', async () => {
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' }
    const script = `
      const fs = require('node:fs'); const count = '${join(folder, 'count')}'
      const n = fs.existsSync(count) ? Number(fs.readFileSync(count, 'utf8')) + 1 : 1
      fs.writeFileSync(count, String(n))
      const status = { token: 'token-' + n, expirationTimestamp: '2020-01-01T00:00:00Z' }
      console.log(JSON.stringify({ ...${JSON.stringify(credential)}, status }))`
    const exec = { apiVersion: credential.apiVersion, command: process.execPath, args: ['-e', script] }
    const connection = await loadConnection(await kubeconfig({ exec }), quietCtx())
    const [first, second] = [await connection.token?.(), await connection.token?.()]
    expect(first).toMatch(/^token-\d$/)
    expect(second).toMatch(/^token-\d$/)
    expect(second).not.toBe(first)
  })

  it.each([
    [
      'prints half a credential',
      { command: process.execPath, args: ['-e', 'console.log("{canary")'] },
      'no credential',
    ],
    ['fails', { command: process.execPath, args: ['-e', 'console.error("canary"); process.exit(1)'] }, 'no credential'],
    ['is missing', { command: '/nowhere/canary' }, 'its command was not found'],
  ])('is refused with a sentence when its plugin %s', async (_, command, why) => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', ...command }
    const error = await loadConnection(await kubeconfig({ exec }), quietCtx()).catch(
      (thrown: unknown) => thrown as Error,
    )
    expect(error).toBeInstanceOf(KubeconfigNotSupported)
    expect((error as Error).message).toContain(why)
    expect((error as Error).message).not.toContain('canary')
  })

  it.each([
    ['a password', { username: 'a', password: 'canary' }, {}, '`username`'],
    ['impersonation', { token: 't', as: 'canary' }, {}, '`as`'],
    ['a proxy', { token: 't' }, { 'proxy-url': 'http://canary' }, '`proxy-url`'],
    ['no server', { token: 't' }, { server: null }, '`server`'],
    ['a file that is missing', { 'client-certificate': 'gone.pem' }, {}, 'gone.pem, which cannot be read'],
    ['a broken authority', { token: 't' }, { 'certificate-authority-data': base64('-----BEGIN x') }, 'are not valid'],
  ])('is refused with a sentence when it has %s', async (_, user, cluster, part) => {
    const error = await loadConnection(await kubeconfig(user, cluster), quietCtx()).catch((thrown: unknown) => thrown)
    expect((error as Error).message).toContain(part)
    expect((error as Error).message).not.toContain('canary')
  })

  it('is named when it is missing', async () => {
    await expect(loadConnection(join(folder, 'nowhere'), quietCtx())).rejects.toThrow(
      `The kubeconfig ${join(folder, 'nowhere')} cannot be read; check --kubeconfig.`,
    )
  })
})

describe('in a cluster', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' }

  it('the connection is what the pod was given, and a renewed token is used at once', async () => {
    await put('ca.crt', authority.cert)
    await put('token', 'token-1')
    const { token, ...rest } = await loadConnection(undefined, quietCtx(), { env, folder })
    expect(rest).toEqual({ server: 'https://10.96.0.1:443', ca: authority.cert })
    expect(await token?.()).toBe('token-1')
    await rename(await put('token.new', 'token-2'), join(folder, 'token'))
    expect(await token?.()).toBe('token-2')
    await writeFile(join(folder, 'token'), 'token-3')
    await utimes(join(folder, 'token'), 1, 1)
    expect(await token?.()).toBe('token-3')
    await rm(join(folder, 'token'))
    expect(await token?.()).toBe('token-3')
    await put('token', '')
    expect(await token?.()).toBe('token-3')
  })

  it('an IPv6 address stands in brackets', async () => {
    await put('ca.crt', authority.cert)
    await put('token', 'token-1')
    const pod = { env: { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder }
    expect((await loadConnection(undefined, quietCtx(), pod)).server).toBe('https://[fd00::1]:443')
  })

  it('what is missing is said', async () => {
    const pod = { env: {}, folder }
    await expect(loadConnection(undefined, quietCtx(), pod)).rejects.toThrow('pass --kubeconfig')
    await expect(loadConnection(undefined, quietCtx(), { env, folder })).rejects.toThrow('token cannot be read')
    await put('token', 'x')
    await expect(loadConnection(undefined, quietCtx(), { env, folder })).rejects.toThrow('ca.crt cannot be read')
  })
})
