import { thrownBy } from '../../support/thrown-by.ts'

/** What a call was refused with. Fails when it was not refused. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const thrown = await thrownBy(call)
  if (thrown === undefined) throw new Error('The call was not refused')
  return thrown
}
