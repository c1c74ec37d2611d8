/** The text of a cloud as a sentence among ours. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/**
 * The same inside one of our sentences, which has its own full stop: `UnauthorizedOperation: You may not.` without the
 * last one.
 */
export function inSentence({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code}: ${message.replace(/(?<!\.)\.$/, '')}`
}
