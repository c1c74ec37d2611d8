import { longSentences, mostWords } from './long-sentences.ts'

interface Text {
  type: string
  value?: unknown
  quasis?: { value: { cooked: string | null } }[]
  expressions?: Text[]
  consequent?: Text
  alternate?: Text
  left?: Text
  right?: Text
  operator?: string
  parent?: Text
}
interface RuleContext {
  report(found: { node: Text; message: string }): void
}

/** The longest text that an expression can be. A value that is no text in the code counts as one word. */
function textOf(node: Text | undefined): string {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : 'x'
  if (node?.type === 'ConditionalExpression') return longer(textOf(node.consequent), textOf(node.alternate))
  if (node?.type === 'TemplateLiteral') {
    const { quasis = [], expressions = [] } = node
    return quasis
      .map(({ value }, index) => (value.cooked ?? '') + (expressions[index] ? textOf(expressions[index]) : ''))
      .join('')
  }
  return node && isSum(node) ? textOf(node.left) + textOf(node.right) : 'x'
}

function longer(a: string, b: string): string {
  return a.split(/\s+/).length > b.split(/\s+/).length ? a : b
}

function isSum({ type, operator }: Text): boolean {
  return type === 'BinaryExpression' && operator === '+'
}

/** Texts of conditions, events, errors and logs are read in a hurry, so a sentence has at most 30 words. */
const shortSentences = {
  create(context: RuleContext) {
    const check = (node: Text) => {
      if (node.parent && isSum(node.parent)) return
      const [long] = longSentences(textOf(node))
      if (long) context.report({ node, message: `A sentence has at most ${mostWords} words: "${long.trim()}"` })
    }
    return {
      Literal: check,
      TemplateLiteral: check,
      BinaryExpression(node: Text) {
        if (isSum(node)) check(node)
      },
    }
  },
}

export default { meta: { name: 'words' }, rules: { 'short-sentences': shortSentences } }
