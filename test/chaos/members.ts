import { findCondition } from '../../api/conditions.ts'
import { machines, spotKind } from '../../api/kinds.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { Lab } from '../lab/lab.ts'
import { forged } from './tenant.ts'

export interface Place {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
  readonly workloadKubeconfig: string
}

export type Phased = Machine & { status?: { phase?: string } }

/** A Machine with a Node, whose instance the cloud shows as running. */
export interface Serving {
  readonly machine: Phased
  readonly node: string
  /** The id of its instance in the control of the cloud. */
  readonly instance: string
}

/** The objects of a herd, without what a tenant has forged. */
export class Members {
  readonly #place: Place
  readonly infraMachines: Resource

  constructor(place: Place) {
    this.#place = place
    this.infraMachines = spotKind(`${place.cloud.prefix}Machine`)
  }

  async machines(): Promise<Phased[]> {
    return (await this.list<Phased>(machines)).filter(isTrue)
  }

  async infra(): Promise<InfraMachine[]> {
    return (await this.list<InfraMachine>(this.infraMachines)).filter(isTrue)
  }

  /** Those that are not being deleted. */
  async serving(): Promise<Serving[]> {
    const infra = new Map((await this.infra()).filter(isReady).map((one) => [one.metadata.name, idOf(one)]))
    const there = await this.machines()
    const running = this.#place.cloud.alive().filter(({ state }) => /running$/i.test(state))
    const ids = new Set(running.map(({ id }) => id))
    return there.flatMap((machine) => {
      const instance = infra.get(machine.spec.infrastructureRef?.name ?? '')
      const node = machine.status?.nodeRef?.name
      const isServing = machine.metadata.deletionTimestamp === undefined && instance !== undefined && ids.has(instance)
      return isServing && node !== undefined ? [{ machine, node, instance }] : []
    })
  }

  /** Forged ones, too. */
  async list<T>(resource: Resource): Promise<T[]> {
    const { lab, namespace } = this.#place
    return (await lab.client.list<T>(resource, { namespace }, lab.ctx)).items
  }
}

/** Whether it belongs to the herd. */
export function isTrue({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.labels?.[forged.key] !== forged.value
}

export function idOf({ status }: InfraMachine): string | undefined {
  return status?.instanceID?.split('/').at(-1)
}

function isReady({ status }: InfraMachine): boolean {
  return findCondition(status?.conditions, 'Ready')?.status === 'True'
}
