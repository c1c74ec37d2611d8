import { annotations } from '../../api/labels.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { MachineDigest, OwnershipTag, Ownership } from '../../api/ownership.ts'
import { idLengths, machineDigestLength, tagOf, newId } from './ownership.ts'

const longest = 63
const { owner: ownerLength, token: tokenLength } = idLengths
const tagLength = ownerLength + machineDigestLength + tokenLength + 3
const shape = new RegExp(
  `^[a-z][a-z0-9-]*-([a-z0-9]{${ownerLength}})-([a-z0-9]{${machineDigestLength}})-([a-z0-9]{${tokenLength}})$`,
)

/**
 * The name of an instance in clouds that find instances by name and show names in every list. It begins for people; the
 * rest is the ownership tag. It is valid as a name of Azure, GCP and IBM and as a host name. It is used only once,
 * because every attempt has its own token. Undefined where the owner id was written by hand and fits into no name.
 */
export function instanceName(ownership: Ownership): string | undefined {
  const { owner, machine, token } = tagOf(ownership)
  const slug = slugOf(ownership.machine.slice(ownership.machine.indexOf('/') + 1))
  const name = `${slug}-${owner}-${machine}-${token}`
  return shape.test(name) ? name : undefined
}

/** The same for a launch. Throws 'invalid' where no name can hold the owner id. */
export function nameFor(ownership: Ownership): string {
  const name = instanceName(ownership)
  if (name !== undefined) return name
  throw new CloudError('invalid', {
    code: 'InvalidOwnerId',
    message:
      `Annotation ${annotations.ownerId} of the Cluster is "${ownership.owner}": it was written by hand, and the name of ` +
      `an instance cannot hold it. Remove the annotation ${annotations.ownerId} from the Cluster and from its ` +
      'infrastructure cluster while it has no machines; another one is then made.',
  })
}

/** Called before any lookup and before an attempt is written: with this owner id no name would prove the owner. */
export function refuseUnfitOwner(owner: string | undefined, machine: string): void {
  if (owner !== undefined) nameFor({ owner, machine, token: newId('token') })
}

/** The tag in a name; undefined for names that are not ours. */
export function tagIn(name: string): OwnershipTag | undefined {
  const [, owner, machine, token] = shape.exec(name) ?? []
  return owner && machine && token ? { owner, machine: machine as MachineDigest, token } : undefined
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest - tagLength)
    .replace(/-+$/, '')
  return slug === '' ? 'm' : slug
}
