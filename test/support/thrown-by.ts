import { expect } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'

/** What a call throws; undefined for a call that throws nothing. */
export function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** The refusal of a call that has to be refused. */
export async function refusalOf(call: Promise<unknown>): Promise<CloudError> {
  const thrown = await thrownBy(call)
  expect(thrown).toBeInstanceOf(CloudError)
  return thrown as CloudError
}
