import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { WireRequest } from '../../kit/http/wire.ts'
import { readAssertion, scopesOf, type Signer } from './assertion.ts'
import { GceError } from './errors.ts'
import type { World } from '../world.ts'

/** The file that GOOGLE_APPLICATION_CREDENTIALS names. */
export interface ServiceAccountKey {
  readonly type: 'service_account'
  readonly project_id: string
  readonly private_key_id: string
  readonly private_key: string
  readonly client_email: string
  readonly client_id: string
  readonly auth_uri: string
  readonly token_uri: string
  readonly auth_provider_x509_cert_url: string
  readonly client_x509_cert_url: string
  readonly universe_domain: string
}

export interface Token {
  readonly access_token: string
  readonly expires_in: number
  readonly token_type: 'Bearer'
}

/** Whose tokens are let in: those that the token endpoint gave out, or whatever looks like one. */
export const acceptedTokens = ['issued', 'any'] as const
export type AcceptedTokens = (typeof acceptedTokens)[number]

/** Its service account's own, of which a key file has the private half. */
interface KeyPair extends Signer {
  readonly pem: string
}

const lifeSeconds = 3599
/** Google's own libraries say this one, whatever the key file says. */
const googles = 'https://oauth2.googleapis.com/token'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The audience of what an account signs for the compute API itself, and all that it may do then. */
const compute = 'https://compute.googleapis.com/'
const platform = 'https://www.googleapis.com/auth/cloud-platform'

/** What one has to be allowed to do for a call of the compute API. */
const scopes = {
  full: /\/auth\/(cloud-platform|compute)$/,
  reading: /\/auth\/(cloud-platform|compute)(\.read-?only)?$/,
}

/**
 * One service account with one key, made when it is first asked for. The age of assertions and tokens is not checked,
 * since the simulator's clock is not the caller's; tokens end when they are made to.
 */
export class Credentials {
  readonly #world: World
  readonly #email: string
  #accepted: AcceptedTokens
  #tokenUri = googles
  #pair: KeyPair | undefined
  /** With the scopes that were asked for. */
  readonly #issued = new Map<string, readonly string[]>()
  readonly #ended = new Set<string>()

  constructor(world: World, accepted: AcceptedTokens) {
    this.#world = world
    this.#email = `capspot-manager@${world.project}.iam.gserviceaccount.com`
    this.#accepted = accepted
  }

  /** `url`: of the simulator, where tokens are given out. */
  keyFile(url: string): ServiceAccountKey {
    const { keyId, pem } = this.#keyPair()
    this.#tokenUri = `${url}/token`
    return {
      type: 'service_account',
      project_id: this.#world.project,
      private_key_id: keyId,
      private_key: pem,
      client_email: this.#email,
      client_id: '100000000000000000001',
      auth_uri: `${url}/auth`,
      token_uri: this.#tokenUri,
      auth_provider_x509_cert_url: `${url}/certs`,
      client_x509_cert_url: `${url}/certs/${encodeURIComponent(this.#email)}`,
      universe_domain: 'googleapis.com',
    }
  }

  accept(which: AcceptedTokens): void {
    this.#accepted = which
  }

  /** Every token that is out is worth nothing from now on. */
  endTokens(): void {
    for (const token of this.#issued.keys()) this.#ended.add(token)
    this.#issued.clear()
  }

  /** Gives out a token for a signed assertion: the body of `POST /token`. */
  issue({ method, body }: WireRequest): Token {
    if (method !== 'POST') throw new GceError('invalid_request', 'Only POST requests are supported.')
    const form = new URLSearchParams(body)
    const type = form.get('grant_type')
    if (type === null) throw new GceError('invalid_request', 'Missing required parameter: grant_type')
    if (type !== grant) throw new GceError('unsupported_grant_type', `Invalid grant_type: ${type}`)
    const assertion = form.get('assertion')
    if (assertion === null || assertion === '') {
      throw new GceError('invalid_request', 'Missing required parameter: assertion')
    }
    const claims = readAssertion(assertion, this.#pair)
    if (![this.#tokenUri, googles].includes(claims['aud'] as string)) {
      throw new GceError('invalid_grant', 'Invalid JWT: Failed audience check.')
    }
    const asked = scopesOf(claims)
    if (!asked) throw new GceError('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
    const token = `ya29.simulated.${randomBytes(24).toString('base64url')}`
    this.#issued.set(token, asked)
    return { access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' }
  }

  /** Refuses a call without credentials, or with such as are not let in. `reads`: it changes nothing. */
  authenticate(request: WireRequest, reads: boolean): void {
    const token = tokenOf(request)
    const granted = this.#issued.get(token) ?? this.#selfSigned(token)
    if (granted === undefined && (this.#accepted === 'issued' || this.#ended.has(token))) throw notLetIn()
    const needed = reads ? scopes.reading : scopes.full
    if (granted === undefined || granted.some((scope) => needed.test(scope))) return
    throw new GceError('insufficientPermissions', 'Request had insufficient authentication scopes.')
  }

  /** What a JWT grants that the account has signed itself: libraries spare themselves the token endpoint that way. */
  #selfSigned(token: string): readonly string[] | undefined {
    try {
      const claims = readAssertion(token, this.#pair)
      return scopesOf(claims) ?? (claims['aud'] === compute ? [platform] : undefined)
    } catch (error) {
      if (error instanceof GceError) return undefined
      throw error
    }
  }

  #keyPair(): KeyPair {
    if (!this.#pair) {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      this.#pair = { email: this.#email, keyId: randomBytes(20).toString('hex'), pem, key: publicKey }
    }
    return this.#pair
  }
}

function tokenOf({ headers, query }: WireRequest): string {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? query.get('access_token')
  if (token !== null) return token
  throw new GceError(
    'required',
    'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other ' +
      'valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    401,
  )
}

function notLetIn(): GceError {
  return new GceError(
    'authError',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid ' +
      'authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
  )
}
