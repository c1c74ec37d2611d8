import type { Case } from './crd-cases.ts'

/** The spec of each market on one cloud. */
interface Markets {
  readonly spot: object
  readonly reserved: object
  /** The field of the types, and types. */
  readonly types: Readonly<Record<string, readonly string[]>>
}

const oneMarket = 'spec.distribution: Invalid value: distribution needs both spot and on demand in the spec and its'

/** A case on either side of every rule of `distribution`, which is the same on all clouds. */
export function distributionCases({ spot, reserved, types }: Markets): Case[] {
  const onDemandEntry = { capacityType: 'OnDemand', after: '10m' }
  const spotEntry = { capacityType: 'Spot' }
  const both = { ...spot, fallback: [onDemandEntry] }
  const distribution = { onDemandBase: 2, onDemandPercentAboveBase: 20 }
  const markets: Case[] = [
    { because: 'a share on demand of a spot spec', spec: { ...both, distribution } },
    { because: 'a share on demand of a spec on demand', spec: { fallback: [types, spotEntry], distribution } },
    { because: 'the spec is reserved', spec: { ...reserved, fallback: [spotEntry, onDemandEntry], distribution } },
    ...[
      { because: 'a spec on demand alone', spec: { distribution } },
      { because: 'a spot spec alone', spec: { ...spot, distribution } },
      { because: 'entries of the same market: spot', spec: { ...spot, fallback: [types, spotEntry], distribution } },
      { because: 'entries of the same market', spec: { fallback: [types, onDemandEntry], distribution } },
      { because: 'a reservation and spot', spec: { ...reserved, fallback: [types, spotEntry], distribution } },
      { because: 'a reservation and on demand', spec: { ...reserved, fallback: [onDemandEntry], distribution } },
    ].map((one) => ({ ...one, because: `a share of one market: ${one.because}`, says: oneMarket })),
  ]
  const within = [{ onDemandBase: 0 }, { onDemandPercentAboveBase: 0 }, { onDemandPercentAboveBase: 100 }]
  const beyond = [
    [{}, ' in body should have at least 1 properties'],
    [{ onDemandBase: -1 }, '.onDemandBase in body should be greater than or equal to 0'],
    [{ onDemandBase: 1.5 }, '.onDemandBase in body must be of type int32'],
    [{ onDemandBase: '2' }, '.onDemandBase in body must be of type integer'],
    [{ onDemandPercentAboveBase: -1 }, '.onDemandPercentAboveBase in body should be greater than or equal to 0'],
    [{ onDemandPercentAboveBase: 101 }, '.onDemandPercentAboveBase in body should be less than or equal to 100'],
    [{ onDemandPercentAboveBase: '20%' }, '.onDemandPercentAboveBase in body must be of type integer'],
  ] as const
  return [
    ...markets,
    ...within.map((one) => ({
      because: `a share is within its bounds: ${JSON.stringify(one)}`,
      spec: { ...both, distribution: one },
    })),
    ...beyond.map(([one, says]) => ({
      because: `a share is beyond its bounds: ${JSON.stringify(one)}`,
      spec: { ...both, distribution: one },
      says: `spec.distribution${says}`,
    })),
  ]
}
