import { readFields } from './read-fields.ts'
import { ControlError, type Verb } from './verb.ts'
import type { WireAnswer, WireRequest } from '../http/wire.ts'

/** Something to look at: `GET /_control/<name>`. */
export type View = () => unknown

const prefix = '/_control'

/** The switches of one simulator, for people with curl and for tests in another process. */
export class ControlPlane {
  readonly #verbs: ReadonlyMap<string, Verb>
  readonly #views: ReadonlyMap<string, View>

  constructor(verbs: readonly Verb[], views: Readonly<Record<string, View>>) {
    this.#verbs = new Map(verbs.map((one) => [one.name, one]))
    this.#views = new Map(Object.entries(views))
  }

  serves(request: WireRequest): boolean {
    return request.path === prefix || request.path.startsWith(`${prefix}/`)
  }

  async answer(request: WireRequest): Promise<WireAnswer> {
    const name = request.path.slice(prefix.length + 1)
    try {
      if (request.method === 'GET') return this.#look(name)
      if (request.method !== 'POST') return refusal(405, 'Control is GET to look and POST to act.')
      const verb = this.#verbs.get(name)
      if (!verb) return refusal(404, `There is no verb "${name}". ${this.#verbList()}`)
      return json(200, (await verb.run(readFields(verb, request.body))) ?? { done: true })
    } catch (error) {
      if (error instanceof ControlError) return refusal(400, error.message)
      throw error
    }
  }

  #look(name: string): WireAnswer {
    if (name === '') {
      const verbs = [...this.#verbs.values()].map(({ name, does, fields }) => ({ verb: name, does, fields }))
      return json(200, { verbs, views: [...this.#views.keys()] })
    }
    const view = this.#views.get(name)
    if (view) return json(200, view())
    return refusal(404, `There is nothing to see at "${name}". There is: ${[...this.#views.keys()].join(', ')}.`)
  }

  #verbList(): string {
    return `The verbs are: ${[...this.#verbs.keys()].join(', ')}.`
  }
}

function json(status: number, value: unknown): WireAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value, null, 2)}\n` }
}

function refusal(status: number, message: string): WireAnswer {
  return json(status, { error: message })
}
