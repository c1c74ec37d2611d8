import { inTable } from '../../errors.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Status, VirtualMachine } from '../wire/documents.ts'
import { failureOf } from '../wire/errors.ts'
import { withFields } from '../wire/fields.ts'

/** Azure's statuses of a machine, in our words. */
export interface View {
  readonly provisioning: Provisioning
  /** Undefined: Azure does not say, which means nothing. */
  readonly power: PowerStatus | undefined
  /** Why it did not come up. */
  readonly failure: CloudError | undefined
}

export type Provisioning = 'creating' | 'deleting' | 'failed' | 'done'
export type Power = keyof typeof powerWords
export interface PowerStatus {
  readonly is: Power
  readonly display: string
}

const powerWords = {
  starting: true,
  running: true,
  stopping: true,
  stopped: true,
  deallocating: true,
  deallocated: true,
} as const

const provisionings: Readonly<Record<string, Provisioning>> = {
  creating: 'creating',
  // Azure does not say. Then only the existence of the machine is known.
  '': 'creating',
  deleting: 'deleting',
  failed: 'failed',
  canceled: 'failed',
}

export function viewOf({ properties }: VirtualMachine): View {
  const statuses = properties?.instanceView?.statuses ?? []
  const said = provisioningIn(statuses)
  const word = (properties?.provisioningState ?? said.word).toLowerCase()
  // Updating, Migrating and the like are of a machine that is up.
  const provisioning = inTable(provisionings, word) ?? 'done'
  const power = powerIn(statuses)
  // A machine also counts as failed when its guest does not report in time, and runs all the same.
  const isUp = power?.is === 'running' || power?.is === 'starting'
  const hasFailed = provisioning === 'failed' && !isUp
  return { provisioning, power, failure: hasFailed ? withFields(failureOf(said.code, said.message)) : undefined }
}

/** `ProvisioningState/failed/AllocationFailed`, with the sentence beside it. */
function provisioningIn(statuses: readonly Status[]): {
  word: string
  code: string | undefined
  message: string | undefined
} {
  for (const { code = '', message } of statuses) {
    const [, word, reason] = /^ProvisioningState\/([^/]+)(?:\/(.+))?$/i.exec(code) ?? []
    if (word !== undefined) return { word, code: reason, message }
  }
  return { word: '', code: undefined, message: undefined }
}

function powerIn(statuses: readonly Status[]): PowerStatus | undefined {
  for (const { code = '', displayStatus } of statuses) {
    const is = /^PowerState\/(.+)$/i.exec(code)?.[1]?.toLowerCase() ?? ''
    if (isPower(is)) return { is, display: displayStatus ?? `VM ${is}` }
  }
  return undefined
}

function isPower(word: string): word is Power {
  return Object.hasOwn(powerWords, word)
}
