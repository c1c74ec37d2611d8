import { readAttempt } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { ClaimingMachine, OwnedInstance } from '../../api/rules/orphans.ts'
import type { Instance } from '../../api/instance.ts'
import { machineDigest } from '../../providers/shared/ownership.ts'
import { pagesOf } from '../runtime/client/pages.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { ClusterDeps } from './deps.ts'

/** All of them, fresh: neither a cache nor --watch-filter may hide a machine from the code that ends instances. */
export async function everyMachine(
  namespace: string,
  { client, machineResource }: Pick<ClusterDeps, 'client' | 'machineResource'>,
  ctx: Ctx,
): Promise<InfraMachine[]> {
  const machines: InfraMachine[] = []
  for await (const page of pagesOf<InfraMachine>(client, machineResource, { namespace, pageSize: 500 }, ctx)) {
    machines.push(...page.items)
  }
  return machines
}

export function toClaim(machine: InfraMachine): ClaimingMachine {
  const reading = readAttempt(machine)
  const attempt = reading.is === 'ours' ? reading.attempt : undefined
  return {
    machine: machineDigest(keyOf(machine)),
    token: attempt?.token,
    left: attempt?.left ?? [],
    providerID: machine.spec.providerID,
  }
}

export function isOwned(instance: Instance): instance is Instance & OwnedInstance {
  return instance.tag !== undefined
}
