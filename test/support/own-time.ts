/** Nothing that reads what others wrote may hold up the event loop for longer. */
export const longestStallMs = 100

/** How long this thread was at work with it, which others on the machine do not lengthen; the least of three times. */
export async function ownTimeOf(work: () => unknown): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > longestStallMs; tries++) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
