import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../../../api/ctx.ts'
import { ArmError } from './errors.ts'
import type { World } from '../world.ts'

/** Secrets by client id. Undefined: any will do. */
export type ClientSecrets = Readonly<Record<string, string>> | undefined

const tokenLifeMs = 3_600_000

/** Gives out tokens and knows them again. */
export class Authority {
  readonly #clock: Clock
  readonly #tenant: string
  readonly #key = randomBytes(32)
  /** From now on only these clients are accepted, and only tokens that were given to them here. */
  secrets: ClientSecrets

  constructor({ tenant }: World, clock: Clock, secrets: ClientSecrets) {
    this.#tenant = tenant
    this.#clock = clock
    this.secrets = secrets
  }

  knows(client: string, secret: string): boolean {
    return this.secrets === undefined || (Object.hasOwn(this.secrets, client) && this.secrets[client] === secret)
  }

  issue(client: string, audience: string): { token: string; expiresIn: number } {
    const now = Math.floor(this.#clock.now() / 1000)
    const expiresIn = tokenLifeMs / 1000 - 1
    const claims = {
      aud: audience,
      iss: `https://sts.windows.net/${this.#tenant}/`,
      appid: client,
      tid: this.#tenant,
      iat: now,
      nbf: now,
      exp: now + expiresIn,
    }
    const content = [{ typ: 'JWT', alg: 'HS256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return { token: `${content}.${this.#sign(content)}`, expiresIn }
  }

  /** Throws what Azure answers to somebody whom it does not know. */
  authenticate(authorization: string | undefined): void {
    if (authorization === undefined) {
      const message = "Authentication failed. The 'Authorization' header is missing."
      throw this.#refusal('AuthenticationFailed', message, 'authorization is missing')
    }
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
    if (token === undefined) {
      const message = "Authentication failed. The 'Authorization' header is provided in an invalid format."
      throw this.#refusal('AuthenticationFailedInvalidHeader', message, 'the header is malformed')
    }
    const claims = this.#claimsOf(token)
    if (!claims) {
      if (this.secrets === undefined) return
      throw this.#refusal('InvalidAuthenticationToken', 'The access token is invalid.', 'the token is invalid')
    }
    if (claims.exp * 1000 > this.#clock.now()) return
    const [expiry, now] = [claims.exp * 1000, this.#clock.now()].map((time) => new Date(time).toISOString())
    const message = `The access token expiry UTC time '${expiry}' is earlier than current UTC time '${now}'.`
    throw this.#refusal('ExpiredAuthenticationToken', message, 'the token has expired')
  }

  #claimsOf(token: string): { readonly exp: number } | undefined {
    const [header, claims, signature] = token.split('.')
    if (claims === undefined || signature !== this.#sign(`${header}.${claims}`)) return undefined
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }
  }

  #sign(content: string): string {
    return createHmac('sha256', this.#key).update(content).digest('base64url')
  }

  #refusal(code: string, message: string, why: string): ArmError {
    const realm = `authorization_uri="https://login.microsoftonline.com/${this.#tenant}"`
    return new ArmError(code, message, {
      status: 401,
      headers: { 'www-authenticate': `Bearer ${realm}, error="invalid_token", error_description="${why}"` },
    })
  }
}
