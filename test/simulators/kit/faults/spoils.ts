import { Countdown } from './countdown.ts'
import type { WireAnswer, WireReply } from '../http/wire.ts'

/** How a page of a list can be wrong. Only the cloud itself can make it so. */
const pageSpoils = {
  'empty-page': 'nothing on the page, and a token with which the list goes on',
  'repeated-token': 'the page, with the token that led to it',
  'short-page': 'half of the page, and a token with which the list goes on',
  'long-page': 'twice as much as was asked for at most',
} as const

/** How an answer can come to harm on its way. */
const wireSpoils = {
  'lost-page': 'the connection ends instead of the last page of several',
  'cut-body': 'the connection ends in the middle of the body',
  'half-body': 'the body ends in the middle, as if that were all',
  garbage: 'a body that is no document',
  'foreign-document': 'a well-formed document of another kind',
  'proxy-page': 'HTML of a proxy, with status 502',
  hang: 'no answer, and the connection stays open until the faults are cleared',
} as const

export type PageSpoil = keyof typeof pageSpoils
export type WireSpoil = keyof typeof wireSpoils
export type Spoil = PageSpoil | WireSpoil

export const spoilMeanings: Readonly<Record<Spoil, string>> = { ...pageSpoils, ...wireSpoils }

export const spoilNames = Object.keys(spoilMeanings) as readonly Spoil[]

export type Tamper = (answer: { action: string; body: string }) => string

/** Answers that are to be spoilt: the call is done all the same. */
export class Spoils {
  /** Every answer goes through it on its way. */
  tamper: Tamper = ({ body }) => body
  readonly #next = new Countdown<Spoil>()
  #cleared = Promise.withResolvers<void>()

  spoilNext(action: string, how: Spoil, count: number): void {
    this.#next.add(action, count, how)
  }

  /** For the cloud, while it makes a page. */
  takePage(action: string): PageSpoil | undefined {
    return this.#next.take(action, isPageSpoil) as PageSpoil | undefined
  }

  /** For the wire. `endsList`: the answer is the last page of several. */
  takeWire(action: string, endsList: () => boolean): WireSpoil | undefined {
    const fits = (how: Spoil) => !isPageSpoil(how) && (how !== 'lost-page' || endsList())
    return this.#next.take(action, fits) as WireSpoil | undefined
  }

  /** Calls that hang are cut off. */
  clear(): void {
    this.#next.clear()
    this.tamper = ({ body }) => body
    this.#cleared.resolve()
    this.#cleared = Promise.withResolvers()
  }

  async apply(answer: WireAnswer, how: WireSpoil): Promise<WireReply> {
    if (how !== 'hang') return spoilt(answer, how)
    await this.#cleared.promise
    return 'cut'
  }
}

/** What the caller got is no answer at all. */
export function isLost(how: WireSpoil): boolean {
  return how === 'lost-page' || how === 'cut-body' || how === 'hang'
}

function isPageSpoil(how: Spoil): how is PageSpoil {
  return Object.hasOwn(pageSpoils, how)
}

function spoilt(answer: WireAnswer, how: Exclude<WireSpoil, 'hang'>): WireReply {
  const { body, headers } = answer
  const half = Math.floor(body.length / 2)
  switch (how) {
    case 'lost-page':
      return 'cut'
    case 'cut-body':
      return { ...answer, cutAt: half }
    case 'half-body':
      return { ...answer, body: body.slice(0, half) }
    case 'garbage':
      return { ...answer, body: '\u0000\u0016\u0003\u0001 <<< }{ ]]> \uFFFD\uFFFD' }
    case 'foreign-document':
      return { ...answer, body: isJson(headers) ? '{"status":"ok"}' : '<?xml version="1.0"?>\n<status>ok</status>\n' }
    case 'proxy-page':
      return {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n',
      }
  }
}

function isJson(headers: WireAnswer['headers']): boolean {
  return headers['content-type']?.includes('json') === true
}
