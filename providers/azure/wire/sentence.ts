import { shortened } from '../../errors.ts'

/** The first line of Azure's text, cut to the length that people read. */
export function sentenceOf(message: string): string {
  const [line = ''] = message.trim().split(/[\r\n]/)
  return shortened(line)
}
