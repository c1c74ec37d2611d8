import type { Case } from './crd-cases.ts'

/** What an entry of `fallback` is on one cloud. */
interface Words {
  /** The field of the types. */
  readonly types: string
  /** Types, the usual one last. */
  readonly good: readonly string[]
  readonly badType: string
  readonly zones: readonly string[]
  readonly badZone: string
}

/** A case on either side of every rule of `fallback`, which is the same on all clouds. */
export function fallbackCases({ types, good, badType, zones, badZone }: Words): Case[] {
  const entries = (...fallback: object[]) => ({ spec: { fallback } })
  const onDemand = { capacityType: 'OnDemand' }
  return [
    {
      because: 'other types, then on demand',
      ...entries({ capacityType: 'Spot', [types]: good, zones }, { ...onDemand, after: '1h30m' }),
    },
    ...[{ [types]: good }, { zones }, onDemand].map((entry) => ({
      because: `an entry names one thing: ${Object.keys(entry).join()}`,
      ...entries(entry),
    })),
    { because: 'there are eight entries', ...entries(...Array.from({ length: 8 }, () => onDemand)) },
    {
      because: 'there are nine entries',
      ...entries(...Array.from({ length: 9 }, () => onDemand)),
      says: 'spec.fallback: Too many: 9: must have at most 8 items',
    },
    { because: 'there is no entry', ...entries(), says: 'spec.fallback in body should have at least 1 items' },
    ...[{}, { after: '10m' }].map((entry) => ({
      because: `an entry asks for the same as the spec: ${Object.keys(entry).join()}`,
      ...entries(onDemand, entry),
      says: 'spec.fallback[1]: Invalid value: an entry of fallback without capacityType',
    })),
    {
      because: 'a type is none',
      ...entries({ [types]: [badType] }),
      says: `spec.fallback[0].${types}[0] in body should`,
    },
    {
      because: 'no type is named',
      ...entries({ [types]: [] }),
      says: `spec.fallback[0].${types} in body should have at least 1 items`,
    },
    { because: 'a zone is none', ...entries({ zones: [badZone] }), says: 'spec.fallback[0].zones[0] in body should' },
    {
      because: 'no zone is named',
      ...entries({ zones: [] }),
      says: 'spec.fallback[0].zones in body should have at least 1 items',
    },
    {
      because: 'a market is none',
      ...entries({ capacityType: 'spot' }),
      says: 'spec.fallback[0].capacityType: Unsupported value',
    },
    ...['0s', '90s', '10m', '99999h59m999999s'].map((after) => ({
      because: `${after} is a duration`,
      ...entries({ ...onDemand, after }),
    })),
    ...['', '10', 'm', '10 m', '-1m', '1m1h', '1.5h', '10min'].map((after) => ({
      because: `"${after}" is no duration`,
      ...entries({ ...onDemand, after }),
      says: 'spec.fallback[0].after in body should',
    })),
  ]
}
