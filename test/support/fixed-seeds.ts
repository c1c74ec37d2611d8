import { randomInt } from 'node:crypto'
import fc from 'fast-check'

/**
 * Properties tell the same cases every time, so that what nobody has found before does not stop a change that has
 * nothing to do with it. FUZZ_SEED and FUZZ_PATH repeat what a failure names, FUZZ_SEED=random goes looking for what is
 * new, and FUZZ_RUNS has test/contract look for longer.
 */
const { FUZZ_SEED: asked, FUZZ_PATH: path } = process.env
const usual = 20_261_119
const seed = asked === 'random' ? randomInt(2 ** 31) : Number(asked ?? usual)

fc.configureGlobal({ seed, ...(path === undefined ? {} : { path }) })
