import { longSentences } from '../../lint/long-sentences.ts'

/** The message as it is. No message of a condition or an event, however composed, has a sentence above 30 words. */
export function shortMessage(message = ''): string {
  const [long] = longSentences(message)
  if (long !== undefined) throw new Error(`A message has a long sentence: ${long}`)
  return message
}
