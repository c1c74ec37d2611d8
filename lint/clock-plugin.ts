interface NewExpression {
  callee: { type: string; name?: string }
  arguments: unknown[]
}
interface RuleContext {
  report(found: { node: NewExpression; message: string }): void
}

/** `new Date()` without an argument reads the global clock; no-restricted-properties cannot see it. */
const noNewDate = {
  create: (context: RuleContext) => ({
    NewExpression(node: NewExpression) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
        context.report({ node, message: 'Take the time from the Clock that was passed in.' })
      }
    },
  }),
}

export default { meta: { name: 'clock' }, rules: { 'no-new-date': noNewDate } }
