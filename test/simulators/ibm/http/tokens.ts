import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../../api/ctx.ts'
import { IbmError } from './errors.ts'
import type { World } from '../world.ts'

/** How long a token is good for, in seconds. */
const lifeSeconds = 3600

/** What IAM answers to who shows an API key. */
export interface IssuedToken {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly expiration: number
  readonly scope: string
}

/** The account's API keys, and the tokens that were issued for them. */
export class Tokens {
  readonly #world: World
  readonly #clock: Clock
  readonly #secret = randomBytes(32)
  #keys: ReadonlySet<string>
  #generation = 1

  constructor(world: World, clock: Clock) {
    this.#world = world
    this.#clock = clock
    this.#keys = new Set([world.apikey])
  }

  /** From now on only these keys are good; undefined: the account's own. */
  accept(keys: readonly string[] | undefined): void {
    this.#keys = new Set(keys ?? [this.#world.apikey])
  }

  /** No token issued until now is good any more. */
  expireAll(): void {
    this.#generation += 1
  }

  issue(apikey: string): IssuedToken {
    if (!this.#keys.has(apikey)) throw new IbmError('BXNIM0415E', 'Provided API key could not be found.')
    const iat = Math.floor(this.#clock.now() / 1000)
    const claims = {
      iam_id: 'IBMid-SIMULATED0',
      id: 'IBMid-SIMULATED0',
      realmid: 'IBMid',
      jti: randomBytes(16).toString('hex'),
      sub: 'nobody@example.com',
      account: { valid: true, bss: this.#world.accountId, frozen: true },
      iat,
      exp: iat + lifeSeconds,
      iss: 'https://iam.cloud.ibm.com/identity',
      grant_type: 'urn:ibm:params:oauth:grant-type:apikey',
      scope: 'ibm openid',
      client_id: 'default',
      generation: this.#generation,
    }
    return {
      access_token: this.#sign(claims),
      refresh_token: 'not_supported',
      token_type: 'Bearer',
      expires_in: lifeSeconds,
      expiration: claims.exp,
      scope: claims.scope,
    }
  }

  /** Refuses who does not show a token that was issued here and is still good. */
  check(authorization: string | undefined): void {
    if (authorization === undefined || authorization === '') {
      throw refused('The service token was empty or did not exist in the request.')
    }
    const [, token] = /^Bearer (.+)$/i.exec(authorization) ?? []
    const claims = token === undefined ? undefined : this.#read(token)
    const isGood = claims?.generation === this.#generation && this.#clock.now() < 1000 * claims.exp
    if (!isGood) throw refused('The service token was expired or invalid.')
  }

  /** Whether it is a token of this account, good or not. */
  issued(authorization: string | undefined): boolean {
    const [, token] = /^Bearer (.+)$/i.exec(authorization ?? '') ?? []
    return token !== undefined && this.#read(token) !== undefined
  }

  #sign(claims: object): string {
    const signed = [{ alg: 'HS256', typ: 'JWT', kid: 'simulated' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    return `${signed}.${this.#mac(signed).toString('base64url')}`
  }

  #read(token: string): { exp: number; generation: number } | undefined {
    const end = token.lastIndexOf('.')
    const [given, right] = [Buffer.from(token.slice(end + 1), 'base64url'), this.#mac(token.slice(0, Math.max(0, end)))]
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
    const claims = token.slice(token.indexOf('.') + 1, end)
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number; generation: number }
  }

  #mac(signed: string): Buffer {
    return createHmac('sha256', this.#secret).update(signed).digest()
  }
}

function refused(message: string): IbmError {
  return new IbmError('not_authorized', message, { name: 'Authorization', type: 'header' })
}
