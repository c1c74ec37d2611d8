import { crnOf, kinds } from '../ids.ts'
import type { Instance } from './instance.ts'
import type { World } from '../world.ts'

/** A record such as VPC writes to IBM Cloud Logs, where an account has routed them there. */
export interface PlatformLog {
  readonly messageId: string
  readonly level: 'info' | 'warn'
  /** What the record is about is said in words only. */
  readonly message: string
  readonly logSourceCRN: string
  readonly msgTimestamp: string
  readonly saveServiceCopy: boolean
  readonly generation: '2'
  readonly documentsURL: string
}

const kept = 1000

export class PlatformLogs {
  readonly #world: World
  #records: readonly PlatformLog[] = []

  constructor(world: World) {
    this.#world = world
  }

  get all(): readonly PlatformLog[] {
    return this.#records
  }

  /** Written when a preemption begins, before the guest knows of it. */
  preemption(instance: Instance, now: number): void {
    const record: PlatformLog = {
      messageId: 'instance.00002',
      level: 'warn',
      message: `Spot instance ${instance.id} has been selected for preemption.`,
      logSourceCRN: crnOf(kinds.instance, instance, this.#world),
      msgTimestamp: new Date(now).toISOString(),
      saveServiceCopy: true,
      generation: '2',
      documentsURL: 'https://cloud.ibm.com/docs/vpc?topic=vpc-spot-instances-virtual-servers',
    }
    this.#records = [...this.#records, record].slice(-kept)
  }
}
