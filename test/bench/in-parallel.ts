/** At most this many at a time. */
export async function inParallel<T>(
  workers: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = Iterator.from(items)
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
