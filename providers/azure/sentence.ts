const longest = 300

/** The first line of what Azure says, and no more of it than people read. */
export function sentenceOf(message: string): string {
  const [line = ''] = message.trim().split(/[\r\n]/)
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}
