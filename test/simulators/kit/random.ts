/** Numbers from 0 up to 1 that are the same whenever the seed is: what went wrong once goes wrong again. */
export function randomFrom(seed: number | string): () => number {
  let state = hash(String(seed))
  return () => {
    // Mulberry32: small, fast, and good enough to scatter faults.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A sequence for each name, so that one action's calls do not shift what happens to another's. */
export class RandomByName {
  readonly #seed: number
  readonly #sequences = new Map<string, () => number>()

  constructor(seed: number) {
    this.#seed = seed
  }

  next(name: string): number {
    let sequence = this.#sequences.get(name)
    if (!sequence) {
      sequence = randomFrom(`${this.#seed}/${name}`)
      this.#sequences.set(name, sequence)
    }
    return sequence()
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (const sign of text) sum = Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return sum | 0
}
