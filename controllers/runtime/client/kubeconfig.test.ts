import { dump } from 'js-yaml'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestAuthority } from '../../../test/support/fakes/certificate.ts'
import { mutate, mutation } from '../../../test/contract/mutation.ts'
import { longestStallMs, ownTimeOf } from '../../../test/support/own-time.ts'
import { KubeconfigNotSupported, parseWorkloadKubeconfig } from './kubeconfig.ts'

const authority = createTestAuthority('authority')
const user = authority.issue('user-1')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const cluster = { server: 'https://10.0.0.1:6443', 'certificate-authority-data': base64(authority.cert) }
const canary = 'canary-5f1c'

/** A kubeconfig of one context. */
function kubeconfig(over: { cluster?: object; user?: object; top?: object } = {}): string {
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { ...cluster, ...over.cluster } }],
    users: [{ name: 'u', user: over.user ?? { token: 'token-1' } }],
    ...over.top,
  })
}

function complaintAbout(text: string): string {
  let thrown: unknown
  try {
    parseWorkloadKubeconfig(text)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(KubeconfigNotSupported)
  return (thrown as Error).message
}

describe('a kubeconfig out of a Secret', () => {
  it('may hold a token', async () => {
    const connection = parseWorkloadKubeconfig(kubeconfig({ user: { token: 'token-1\n' } }))
    expect(connection).toMatchObject({ server: 'https://10.0.0.1:6443', ca: authority.cert })
    expect(await connection.token?.()).toBe('token-1')
  })

  it('may hold a client certificate', () => {
    const credentials = { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) }
    const text = kubeconfig({ user: credentials, cluster: { 'tls-server-name': 'api.example' } })
    expect(parseWorkloadKubeconfig(text)).toEqual({
      server: 'https://10.0.0.1:6443',
      ca: authority.cert,
      serverName: 'api.example',
      cert: user.cert,
      key: user.key,
    })
  })

  it('may name what it does not use, leave it empty, and hold other contexts', () => {
    const text = kubeconfig({
      user: { token: 't', exec: null, username: '', tokenFile: '' },
      cluster: { 'insecure-skip-tls-verify': false, 'proxy-url': '', extensions: [{ name: 'x' }] },
      top: {
        users: [
          { name: 'other', user: { exec: { command: 'x' } } },
          { name: 'u', user: { token: 't' } },
        ],
      },
    })
    expect(parseWorkloadKubeconfig(text).server).toBe('https://10.0.0.1:6443')
  })

  it.each([
    ['exec', { exec: { command: canary } }, /does not run commands.* use a ServiceAccount token/],
    ['auth-provider', { 'auth-provider': { name: canary } }, /does not run commands/],
    ['tokenFile', { tokenFile: `/${canary}` }, /put the token itself into `token`/],
    ['client-certificate', { 'client-certificate': `/${canary}` }, /into `client-certificate-data`/],
    ['client-key', { 'client-key': `/${canary}` }, /into `client-key-data`/],
    ['username', { username: canary }, /no longer accept passwords/],
    ['password', { password: canary }, /no longer accept passwords/],
    ['as', { as: canary }, /impersonation is not supported/],
    ['as-uid', { 'as-uid': canary }, /impersonation is not supported/],
    ['as-groups', { 'as-groups': [canary] }, /impersonation is not supported/],
    ['as-user-extra', { 'as-user-extra': { a: [canary] } }, /impersonation is not supported/],
  ])('may not hold %s of a user', (field, credentials, advice) => {
    const complaint = complaintAbout(kubeconfig({ user: { token: 't', ...credentials } }))
    expect(complaint).toContain(`\`${field}\``)
    expect(complaint).toMatch(advice)
    expect(complaint).not.toContain(canary)
  })

  it.each([
    ['certificate-authority', { 'certificate-authority': `/${canary}` }, /into `certificate-authority-data`/],
    ['insecure-skip-tls-verify', { 'insecure-skip-tls-verify': true }, /put the authority into/],
    ['proxy-url', { 'proxy-url': `http://${canary}` }, /proxies are not supported/],
  ])('may not hold %s of a cluster', (field, over, advice) => {
    const complaint = complaintAbout(kubeconfig({ cluster: over }))
    expect(complaint).toContain(`\`${field}\``)
    expect(complaint).toMatch(advice)
    expect(complaint).not.toContain(canary)
  })

  it('may not hold what nobody knows', () => {
    const complaint = complaintAbout(kubeconfig({ user: { token: 't', [canary]: 'x' } }))
    expect(complaint).toContain('accepted are `server`, ')
    expect(complaint).not.toContain(canary)
    expect(complaintAbout(kubeconfig({ user: { token: 't', constructor: 'x' } }))).toBe(complaint)
  })

  it.each([
    ['no server', kubeconfig({ cluster: { server: '' } }), 'needs a `server`'],
    ['a server without TLS', kubeconfig({ cluster: { server: `http://${canary}` } }), 'begins with "https://"'],
    ['a password in the URL', kubeconfig({ cluster: { server: `https://a:${canary}@b` } }), '`server` must be a URL'],
    ['a server that is no URL', kubeconfig({ cluster: { server: `https://${canary} x` } }), '`server` must be a URL'],
    ['a server that is a number', kubeconfig({ cluster: { server: 6443 } }), '`server` must be text'],
    ['no credentials', kubeconfig({ user: {} }), 'has no credentials'],
    ['a token of two lines', kubeconfig({ user: { token: `a\r\n${canary}` } }), '`token` holds characters'],
    [
      'a key without certificate',
      kubeconfig({ user: { 'client-key-data': base64(user.key) } }),
      'without its certificate',
    ],
    [
      'an authority that is none',
      kubeconfig({ cluster: { 'certificate-authority-data': canary } }),
      'must be PEM in base64',
    ],
    ['no current context', kubeconfig({ top: { 'current-context': null } }), 'has no `current-context`'],
    ['a context that is missing', kubeconfig({ top: { 'current-context': canary } }), 'a missing entry of `contexts`'],
    ['a cluster that is missing', kubeconfig({ top: { clusters: [] } }), 'a missing entry of `clusters`'],
    ['users of another shape', kubeconfig({ top: { users: { u: canary } } }), 'a missing entry of `users`'],
    [
      'users that are null',
      kubeconfig({ top: { users: [null, { name: 'u', user: null }] } }),
      'user is not a YAML mapping',
    ],
    ['nothing', '', 'not valid YAML'],
    ['text', canary, 'is not a YAML mapping'],
    ['YAML that is broken', `token: ${canary}: x\n\t- `, 'not valid YAML'],
    ['a list', `- ${canary}`, 'is not a YAML mapping'],
    ['brackets without end', '['.repeat(100_000), 'not valid YAML'],
    ['a megabyte', 'x'.repeat(2 ** 20), 'longer than 128 KiB'],
    [
      'an authority of more than 64 KiB',
      kubeconfig({ cluster: { 'certificate-authority-data': base64(authority.cert.padEnd(2 ** 16 + 1)) } }),
      'is longer than 64 KiB',
    ],
    ['a tag of a language', `!!js/function ${canary}`, 'not valid YAML'],
  ])('is refused with a sentence that repeats nothing when it has %s', (_, text, part) => {
    const complaint = complaintAbout(text)
    expect(complaint).toContain(part)
    expect(complaint).not.toContain(canary)
    expect(complaint).toMatch(/^[A-Z].*\.$/)
  })

  it('is accepted or refused with a sentence, whatever it holds', () => {
    const shape = fc.oneof(fc.anything(), fc.string())
    const top = fc.record({ 'current-context': shape, contexts: shape, clusters: shape, users: shape })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          top.map((value) => JSON.stringify(value) ?? ''),
        ),
        (text) => {
          expect(complaintAbout(text)).toMatch(/^The .*\.$/)
        },
      ),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), shape), (fields) => {
        expect(complaintAbout(JSON.stringify(JSON.parse(jsonOf({ ...fields, username: 'x' }))))).toMatch(/^The .*\.$/)
      }),
    )
  })

  it('is accepted or refused with a sentence, at once, when something in a good one was changed', async () => {
    const good = jsonOf({ token: 'x' })
    const anchors = fc.nat({ max: 2_000 }).map((n) => `a: &a [x]\nb: [${'*a,'.repeat(n)}]\n<<: *a`)
    const changed = fc.oneof(
      mutation.map((how) => mutate(good, how)),
      anchors,
    )
    await fc.assert(
      fc.asyncProperty(changed, async (text) => {
        expect(sayOf(text)).toMatch(/^(accepted|The .*\.)$/)
        expect(await ownTimeOf(() => sayOf(text))).toBeLessThan(longestStallMs)
      }),
    )
  })

  const sayOf = (text: string): string => {
    try {
      parseWorkloadKubeconfig(text)
      return 'accepted'
    } catch (thrown) {
      if (thrown instanceof KubeconfigNotSupported) return thrown.message
      throw thrown
    }
  }

  /** The fields as those of the user, in JSON, which is YAML. */
  function jsonOf(fields: object): string {
    return JSON.stringify({
      'current-context': 'main',
      contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: fields }],
    })
  }
})
