import { createHash, createHmac } from 'node:crypto'
import { Pool } from 'undici'
import type { Variable } from '../variables.ts'
import { addressIn } from '../../wire/endpoint.ts'

export interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface StsCall {
  readonly url: URL
  readonly region: string
  readonly keys: Keys
  readonly nowMs: number
  readonly signal: AbortSignal
}

const body = 'Action=GetCallerIdentity&Version=2011-06-15'
const timeoutMs = 5_000
const longestAnswer = 64 * 1024

/**
 * The account of these keys; undefined: STS did not tell it. This is a call of our own, because the one question needs
 * no permission and no library.
 */
export async function getCallerIdentity({ url, region, keys, nowMs, signal }: StsCall): Promise<string | undefined> {
  const headers = signed({ host: url.host, region, keys, nowMs })
  const pool = new Pool(url.origin, {
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: longestAnswer,
  })
  try {
    const answer = await pool.request({ method: 'POST', path: '/', headers, body, signal })
    const text = await answer.body.text()
    return answer.statusCode === 200 ? /<Account>(\d{12})<\/Account>/.exec(text)?.[1] : undefined
  } finally {
    await pool.destroy()
  }
}

const names = {
  own: 'AWS_ENDPOINT_URL_STS',
  all: 'AWS_ENDPOINT_URL',
  ec2: 'AWS_ENDPOINT_URL_EC2',
} as const satisfies Record<string, Variable>

/**
 * The endpoint of STS: from its own variable, else beside EC2. Undefined where only EC2 has another endpoint: nothing
 * says that there is an STS beside it, and the public STS would not know these keys.
 */
export function stsEndpoint(ec2Of: () => URL, environment: NodeJS.ProcessEnv = process.env): URL | undefined {
  const { [names.own]: own, [names.all]: all, [names.ec2]: ec2 } = environment
  const variable = own ? names.own : names.all
  const given = own || all
  if (given) return addressIn(variable, given, 'https://sts.us-east-1.amazonaws.com').url
  if (ec2) return undefined
  const url = new URL(ec2Of())
  url.hostname = url.hostname.replace(/^ec2/, 'sts')
  return url
}

type ToSign = Pick<StsCall, 'region' | 'keys' | 'nowMs'> & { readonly host: string }

/** Signature Version 4. */
function signed({ host, region, keys, nowMs }: ToSign): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host,
    'x-amz-date': time,
    ...(keys.sessionToken ? { 'x-amz-security-token': keys.sessionToken } : {}),
  }
  const list = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = ['POST', '/', '', lines.join(''), list, sha256(body)].join('\n')
  const scope = [time.slice(0, 8), region, 'sts', 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<Buffer>(hmac, Buffer.from(`AWS4${keys.secretAccessKey}`))
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope.join('/')}, ` +
    `SignedHeaders=${list}, Signature=${hmac(key, toSign).toString('hex')}`
  return { ...headers, authorization }
}

function hmac(key: Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

function sha256(data: string): string {
  return createHash('sha256').update(data).digest('hex')
}
