export interface ControlAnswer {
  readonly status: number
  readonly text: string
  readonly json: unknown
}

/** A control call over HTTP: a look without a body, a verb with one. */
export async function controlCall(url: string, path: string, body?: unknown): Promise<ControlAnswer> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${url}/_control/${path}`, init)
  const text = await answer.text()
  return { status: answer.status, text, json: JSON.parse(text) as unknown }
}
