interface Call {
  callee: { type: string; name?: string }
  arguments: unknown[]
}
interface RuleContext {
  report(found: { node: Call; message: string }): void
}

/** `new Date()` without an argument, and `Date()`, read the global clock; no-restricted-properties cannot see them. */
const noGlobalDate = {
  create(context: RuleContext) {
    const isDate = ({ callee }: Call) => callee.type === 'Identifier' && callee.name === 'Date'
    const report = (node: Call) => context.report({ node, message: 'Take the time from the Clock that was passed in.' })
    return {
      NewExpression(node: Call) {
        if (isDate(node) && node.arguments.length === 0) report(node)
      },
      CallExpression(node: Call) {
        if (isDate(node)) report(node)
      },
    }
  },
}

export default { meta: { name: 'clock' }, rules: { 'no-global-date': noGlobalDate } }
