import { createHash, randomInt } from 'node:crypto'
import { CloudError } from '../../api/cloud-error.ts'
import type { MachineDigest, OwnershipTag, Ownership } from '../../api/ownership.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The lengths of owner ids and tokens: short enough for a name, and long enough that nobody guesses or repeats one. */
export const idLengths = { owner: 10, token: 12 } as const

/** A random owner id or token. It begins with a letter, as names in clouds have to. */
export function newId(what: keyof typeof idLengths): string {
  const rest = Array.from({ length: idLengths[what] - 1 }, () => alphabet[randomInt(36)])
  return [alphabet[randomInt(26)], ...rest].join('')
}

/** An ownership as a cloud shows it. */
export function tagOf({ owner, machine, token }: Ownership): OwnershipTag & { readonly machineName: string } {
  return { owner, machine: machineDigest(machine), machineName: machine, token }
}

/** The digest that stands for `namespace/name`: its first part is that of the namespace alone. */
export function machineDigest(machine: string): MachineDigest {
  return (namespaceDigest(machine.slice(0, machine.indexOf('/'))) + digest(machine, 8)) as MachineDigest
}

/** The digests of all machines of a namespace begin with it. */
export function namespaceDigest(namespace: string): string {
  return digest(namespace, namespaceDigestLength)
}

export const machineDigestLength = 12
const namespaceDigestLength = 4

/** The tenant of a call, for lines in which tenants take turns: a namespace is a tenant. */
export function tenantOf({ machine }: Pick<OwnershipTag, 'machine'>): string {
  return machine.slice(0, namespaceDigestLength)
}

/** Refuses to touch an instance, an interface or a disk that has our name and not our tag. */
export function notOurs(what: string): CloudError {
  const message =
    `${what} does not provably belong to this machine, so the manager does not change it. ` +
    'If it is yours, delete or rename it; otherwise replace the Machine.'
  return new CloudError('conflict', { code: 'NotOurs', message })
}

function digest(text: string, length: number): string {
  const number = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  return number.toString(36).padStart(50, '0').slice(-length)
}
