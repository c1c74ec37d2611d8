import { annotations } from '../../api/labels.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { nowOf } from './truth.ts'
import type { World } from './world.ts'

export function endByHand({ cloud }: World, machine: InfraMachine): void {
  for (const truth of cloud.present()) {
    if (machine.spec.providerID?.endsWith(`/${truth.id}`)) cloud.end(truth)
  }
}

/** Instances that a message names. */
export function endNamed({ cloud }: World, message: string): void {
  for (const truth of cloud.present()) {
    if (!truth.isStranger && new RegExp(`\\b${truth.id}\\b`).test(message)) cloud.end(truth)
  }
}

/**
 * A second management cluster, with a copy of this etcd, creates an instance for a machine that was created there.
 */
export function launchElsewhere({ apiserver, cloud }: World, namespace: string): void {
  const owner = apiserver.get('AWSCluster', `${namespace}/c1`)?.metadata.annotations?.[annotations.ownerId]
  const made = `x${cloud.made}`
  if (owner) cloud.makeStranger(tagOf({ owner, machine: `${namespace}/${made}`, token: `theirs-${made}` }))
}

/** The second management cluster is deleted, with its instances. */
export function endOtherManager({ cloud }: World, { metadata }: KubeObject): void {
  const owner = metadata.annotations?.[annotations.ownerId]
  for (const truth of cloud.present()) {
    if (truth.isStranger && nowOf(truth).tag?.owner === owner) cloud.end(truth)
  }
}
