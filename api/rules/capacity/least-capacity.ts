/** What a Node of one instance type has. */
export interface SizeOfType {
  readonly instanceType: string
  /** Kubernetes quantities by resource. */
  readonly capacity: Readonly<Record<string, string>>
  readonly architecture: string
}

type Capacity = SizeOfType['capacity']

/** The first is that of the spec itself, and the others are those of its `fallback`. */
export type Sizes = readonly [SizeOfType, ...SizeOfType[]]

/**
 * What every Node has, of whatever type it becomes. A resource that one of them lacks is left out. If an autoscaler
 * expects more, it adds Nodes for Pods that fit on none.
 */
export function leastCapacity([first, ...others]: Sizes): Capacity {
  const resources = Object.keys(first.capacity).filter((name) => others.every(({ capacity }) => name in capacity))
  const all = [first, ...others].map(({ capacity }) => capacity)
  return Object.fromEntries(resources.map((name) => [name, least(all.map((capacity) => capacity[name] ?? '0'))]))
}

/** The types with other Nodes than the spec's own. */
export function typesOfOtherCapacity([first, ...others]: Sizes): readonly string[] {
  return others.filter(({ capacity }) => !isSame(first.capacity, capacity)).map(({ instanceType }) => instanceType)
}

/** The types of another architecture than the spec's own. No image fits both. */
export function typesOfOtherArchitecture([first, ...others]: Sizes): readonly SizeOfType[] {
  return others.filter(({ architecture }) => architecture !== first.architecture)
}

function isSame(one: Capacity, other: Capacity): boolean {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.every((name) => numberOf(one[name] ?? '0') === numberOf(other[name] ?? '0'))
}

function least(quantities: readonly string[]): string {
  return quantities.reduce((lowest, one) => (numberOf(one) < numberOf(lowest) ? one : lowest))
}

const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ...['Ki', 'Mi', 'Gi', 'Ti'].map((unit, at) => [unit, 1024 ** (at + 1)] as const),
  ...['k', 'M', 'G', 'T'].map((unit, at) => [unit, 1000 ** (at + 1)] as const),
])

/** The quantities that the clouds write: whole numbers with a unit. */
function numberOf(quantity: string): number {
  const [, digits = '', unit = ''] = /^(\d+)([A-Za-z]*)$/.exec(quantity) ?? []
  return Number(digits) * (units.get(unit) ?? Number.NaN)
}
