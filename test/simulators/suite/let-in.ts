/** How many of so many calls at one time are let in. */
export function letIn(count: number, call: () => void, isRefusal: (error: Error) => boolean): number {
  return Array.from({ length: count }).filter(() => isLetIn(call, isRefusal)).length
}

function isLetIn(call: () => void, isRefusal: (error: Error) => boolean): boolean {
  try {
    call()
    return true
  } catch (error) {
    if (error instanceof Error && isRefusal(error)) return false
    throw error
  }
}
