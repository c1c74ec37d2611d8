/** The text of a cloud as a sentence among ours. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Code and text of a cloud as a sentence among ours, without its full stop: `UnauthorizedOperation: You may not`. */
export function inSentence({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code}: ${message.replace(/(?<!\.)\.$/, '')}`
}

/** With the day, if it is not today. */
export function timeInWords(ms: number, now: number): string {
  const [day = '', time = ''] = new Date(ms).toISOString().slice(0, 19).split('T')
  return new Date(now).toISOString().startsWith(day) ? time : `${day} ${time}`
}
