import type { Action } from '../http/action.ts'
import { list, text, time } from '../../kit/http/schema.ts'
import { describe } from '../http/listing.ts'
import type { PriceChange, PriceSeries } from '../supply/spot-market.ts'
import { xmlTime } from '../http/xml.ts'

/** Each operating system has a price of its own; who does not say which gets all. */
const products = { 'Linux/UNIX': 1, 'Red Hat Enterprise Linux': 1.6, 'SUSE Linux': 1.5, Windows: 1.9 } as const

interface Row extends PriceChange {
  readonly series: PriceSeries
  readonly product: string
}

const priceOf = ({ price }: Row) => price.toFixed(6)

function asked(values: Readonly<Record<string, unknown>>, parameter: string): readonly string[] | undefined {
  return values[parameter] as readonly string[] | undefined
}

/** The changes of that time, and the last one before it: the price with which that time begins. */
function within(rows: readonly Row[], from: number, to: number): readonly Row[] {
  const known = rows.filter(({ at }) => at <= to)
  const first = known.findLastIndex(({ at }) => at <= from)
  return known.slice(Math.max(0, first))
}

const describeSpotPriceHistory = describe<Row>({
  name: 'DescribeSpotPriceHistory',
  set: 'spotPriceHistorySet',
  items: ({ market }) =>
    market.series.flatMap((series) =>
      Object.entries(products).flatMap(([product, factor]) =>
        series.changes.map(({ at, price }) => ({ series, product, at, price: price * factor })),
      ),
    ),
  filters: {
    'availability-zone': ({ series }) => [series.zone.name],
    'availability-zone-id': ({ series }) => [series.zone.id],
    'instance-type': ({ series }) => [series.type.name],
    'product-description': ({ product }) => [product, `${product} (Amazon VPC)`],
    'spot-price': (row) => [priceOf(row)],
    timestamp: ({ at }) => [xmlTime(at)],
  },
  by: [],
  page: { min: 1, max: 1000, usual: 1000, clips: true, lastToken: '' },
  also: {
    AvailabilityZone: text,
    AvailabilityZoneId: text,
    EndTime: time,
    InstanceType: list(text),
    ProductDescription: list(text),
    StartTime: time,
  },
  narrow(rows, values) {
    const { StartTime: from = -Infinity, EndTime: to = Infinity } = values as { StartTime?: number; EndTime?: number }
    const [types, wanted] = [asked(values, 'InstanceType'), asked(values, 'ProductDescription')]
    const names = wanted?.map((name) => name.replace(/ \(Amazon VPC\)$/, ''))
    const { AvailabilityZone: zone, AvailabilityZoneId: zoneId } = values
    const offered = rows.filter(
      ({ series, product }) =>
        (types?.includes(series.type.name) ?? true) &&
        (names?.includes(product) ?? true) &&
        (zone ?? series.zone.name) === series.zone.name &&
        (zoneId ?? series.zone.id) === series.zone.id,
    )
    return [...Map.groupBy(offered, ({ series, product }) => `${series.type.name} ${series.zone.name} ${product}`)]
      .flatMap(([, theirs]) => within(theirs, from, to))
      .toSorted((a, b) => b.at - a.at)
  },
  write: (rows) =>
    rows.map((row) => ({
      instanceType: row.series.type.name,
      productDescription: row.product,
      spotPrice: priceOf(row),
      timestamp: xmlTime(row.at),
      availabilityZone: row.series.zone.name,
      availabilityZoneId: row.series.zone.id,
    })),
})

export const spotPriceActions: readonly Action[] = [describeSpotPriceHistory]
