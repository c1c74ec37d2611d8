import type { BootedMachine, NodeRegistrar } from './nodes.ts'

/** Makes no Nodes, and keeps what it was told of which machine. */
export function keptNodes(): NodeRegistrar & { readonly said: string[]; readonly machines: BootedMachine[] } {
  const said: string[] = []
  const machines: BootedMachine[] = []
  return {
    said,
    machines,
    started(machine) {
      said.push(`started ${machine.name}`)
      machines.push(machine)
    },
    stopped: ({ name }) => said.push(`stopped ${name}`),
  }
}
