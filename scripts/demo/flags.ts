import { parseArgs } from 'node:util'

/** An error in the command line, in one sentence. */
export class BadFlag extends Error {
  override readonly name = 'BadFlag'
}

export interface Flags {
  readonly once: boolean
  readonly help: boolean
}

const flags = { once: { type: 'boolean' }, help: { type: 'boolean' } } as const

export const usage = `Usage: npm run demo [-- --once]

A management cluster on this machine: etcd, kube-apiserver, Cluster API's core and our manager. Each simulated cloud has
a MachineDeployment of two spot workers. A live table shows them until Ctrl-C. It leaves nothing behind.

  --once  Runs the story to its end by itself: each cloud takes one instance back after a notice and one at once. Every
          step is checked; exits 0 or 1.
  --help  Shows this text.
`

export function readFlags(args: readonly string[]): Flags {
  try {
    const { once = false, help = false } = parseArgs({ args: [...args], options: flags, strict: true }).values
    return { once, help }
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    throw new BadFlag(`${sentence.replace(/\.$/, '')}; npm run demo -- --help lists the flags.`)
  }
}
