/** One file with one fault, and the rule that has to report it: that rule, and no other. */
export interface Fault {
  /** The fault in words. */
  what: string
  /** Where in the tree. */
  path: string
  source: string
  rule: string
}
