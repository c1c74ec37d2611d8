/** What a cloud said, as a sentence among ours. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/**
 * The same within one of our sentences, which has a full stop of its own: `UnauthorizedOperation: You may not.` without
 * the last one.
 */
export function inSentence({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code}: ${message.replace(/(?<!\.)\.$/, '')}`
}
