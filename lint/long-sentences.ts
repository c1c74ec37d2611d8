export const mostWords = 30

/**
 * The sentences with more words than a reader in a hurry takes in. A list of code between backticks counts as one word.
 * A heading, an entry of a list and a cell of a table end a sentence.
 */
export function longSentences(text: string): string[] {
  const prose = text.replaceAll(/`[^`]+`(, `[^`]+`)*/g, 'code')
  const sentences = prose.split(/(?<=[.!?])\s+|\n\s*\n|(?<=^#.*)\n|\n(?=\s*(?:[|#>-]|\d+\.))|<br>|\|/m)
  return sentences.filter((sentence) => sentence.trim().split(/\s+/).length > mostWords)
}
