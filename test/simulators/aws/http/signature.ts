import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { WireRequest } from '../../kit/http/wire.ts'
import { Ec2Error } from './errors.ts'

/** Secrets by access key. Undefined: any key will do and signatures are not checked. */
export type AccessKeys = Readonly<Record<string, string>> | undefined

interface Authorization {
  readonly accessKey: string
  readonly date: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([\w-]+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/

/**
 * Refuses what EC2 refuses to look at: no credentials, a scope of another region or service, an unknown key, a wrong
 * signature. The age of the signature is not checked, since the simulator's clock is not the caller's.
 */
export function authenticate(
  request: WireRequest,
  region: string,
  keys: AccessKeys,
  service: 'ec2' | 'sts' | 'sqs' = 'ec2',
): void {
  const authorization = readAuthorization(request)
  if (authorization.service !== service) {
    throw new Ec2Error('AuthFailure', `Credential should be scoped to correct service: '${service}'.`)
  }
  if (authorization.region !== region) {
    throw new Ec2Error('AuthFailure', `Credential should be scoped to a valid region, not '${authorization.region}'.`)
  }
  if (keys === undefined) return
  const secret = Object.hasOwn(keys, authorization.accessKey) ? keys[authorization.accessKey] : undefined
  if (secret === undefined || !isSignedWith(secret, request, authorization)) {
    throw new Ec2Error('AuthFailure', 'AWS was not able to validate the provided access credentials')
  }
}

/** Who says to have signed it; '' where nobody does. */
export function accessKeyOf({ headers }: WireRequest): string {
  return form.exec(headers.authorization ?? '')?.[1] ?? ''
}

function readAuthorization({ headers }: WireRequest): Authorization {
  const header = headers.authorization
  if (header === undefined) {
    throw new Ec2Error('MissingAuthenticationToken', 'Request is missing Authentication Token')
  }
  const [, accessKey, date, region, service, signed, signature] = form.exec(header) ?? []
  const time = headers['x-amz-date']
  if (!accessKey || !date || !region || !service || !signed || !signature || typeof time !== 'string') {
    throw new Ec2Error('IncompleteSignature', 'The request signature does not conform to AWS standards.')
  }
  if (!time.startsWith(date)) {
    throw new Ec2Error('AuthFailure', `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date.`)
  }
  return { accessKey, date, region, service, signedHeaders: signed.split(';'), signature }
}

/** Signature Version 4, done again from what came over the wire. */
function isSignedWith(secret: string, request: WireRequest, authorization: Authorization): boolean {
  const { date, region, service, signature } = authorization
  const time = String(request.headers['x-amz-date'])
  const toSign = [
    'AWS4-HMAC-SHA256',
    time,
    `${date}/${region}/${service}/aws4_request`,
    sha256(canonical(request, authorization.signedHeaders)),
  ].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'))
}

function canonical(request: WireRequest, signedHeaders: readonly string[]): string {
  const query = [...request.query].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const headers = signedHeaders.map((name) => {
    const value = request.headers[name]
    return `${name}:${String(value ?? '')
      .trim()
      .replace(/ +/g, ' ')}\n`
  })
  return [
    request.method,
    request.path,
    query.join('&'),
    headers.join(''),
    signedHeaders.join(';'),
    sha256(request.body),
  ].join('\n')
}

/** RFC 3986: stricter than encodeURIComponent. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

function sha256(data: string): string {
  return createHash('sha256').update(data).digest('hex')
}
