import { shortened } from '../../errors.ts'

/** The first line of what Azure says, and no more of it than people read. */
export function sentenceOf(message: string): string {
  const [line = ''] = message.trim().split(/[\r\n]/)
  return shortened(line)
}
