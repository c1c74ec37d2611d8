/** What a call was refused with. Fails when it was not refused. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call was not refused')
}
