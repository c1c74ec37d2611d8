/** What a project has before the first call: nothing of it changes while the simulator runs. */
export interface World {
  readonly project: string
  readonly projectNumber: string
  /** The region that facts speak of. */
  readonly region: string
  readonly regions: readonly string[]
  readonly zones: readonly Zone[]
  readonly networks: readonly Network[]
  readonly subnetworks: readonly Subnetwork[]
  readonly images: readonly Image[]
  readonly diskTypes: readonly string[]
  /** What nodes run as unless they say otherwise. */
  readonly serviceAccount: string
}

export interface Zone {
  readonly name: string
  readonly region: string
}

export interface Network {
  readonly id: string
  readonly name: string
  /** Has a subnetwork in every region by itself, so that callers need not name one. */
  readonly isAuto: boolean
}

export interface Subnetwork {
  readonly id: string
  readonly name: string
  readonly network: string
  readonly region: string
  readonly cidr: string
  /** Names of ranges for aliases, with their addresses. */
  readonly secondary: Readonly<Record<string, string>>
}

export interface Image {
  readonly id: string
  readonly name: string
  readonly project: string
  readonly family: string
  readonly architecture: 'X86_64' | 'ARM64'
  readonly diskSizeGb: number
  readonly created: number
}

export interface WorldOptions {
  readonly region?: string
  /** The second number of the cluster network's addresses, `10.<network>.0.0/16`. */
  readonly network?: number
}

const project = 'spot-simulated'

/** The letters of the zones of each region: not the same everywhere. */
const letters: Readonly<Record<string, string>> = { 'us-central1': 'abcf', 'us-east1': 'bcd', 'europe-west1': 'bcd' }

/**
 * One network made for a cluster, with a subnetwork in each of two regions, beside the default network that projects
 * come with; an image for each architecture, and two of Google's own. Names and ids are the same every time, so that
 * documents can name them.
 */
export function standardWorld({ region = 'us-central1', network = 0 }: WorldOptions = {}): World {
  const other = region === 'us-east1' ? 'europe-west1' : 'us-east1'
  const regions = [region, other]
  return {
    project,
    projectNumber: '123456789012',
    region,
    regions,
    zones: regions.flatMap((region) =>
      (letters[region] ?? 'abc').split('').map((letter) => ({ name: `${region}-${letter}`, region })),
    ),
    networks: [
      { id: '1000000000000000001', name: 'spot', isAuto: false },
      { id: '1000000000000000002', name: 'default', isAuto: true },
    ],
    subnetworks: regions.flatMap((region, at) => [
      {
        id: `200000000000000001${at}`,
        name: at === 0 ? 'spot' : `spot-${region}`,
        network: 'spot',
        region,
        cidr: `10.${network}.${at * 128}.0/17`,
        secondary: { pods: `10.${128 + network}.${at * 128}.0/17` },
      },
      {
        id: `200000000000000002${at}`,
        name: 'default',
        network: 'default',
        region,
        cidr: `172.${16 + at}.0.0/20`,
        secondary: {},
      },
    ]),
    images: [
      image('X86_64', { id: '3000000000000000001', project, family: 'capi-ubuntu-2404-k8s-v1-36' }),
      image('ARM64', { id: '3000000000000000002', project, family: 'capi-ubuntu-2404-arm64-k8s-v1-36' }),
      image('X86_64', { id: '3000000000000000003', project: 'ubuntu-os-cloud', family: 'ubuntu-2404-lts-amd64' }),
      image('ARM64', { id: '3000000000000000004', project: 'ubuntu-os-cloud', family: 'ubuntu-2404-lts-arm64' }),
    ],
    diskTypes: ['pd-standard', 'pd-balanced', 'pd-ssd', 'hyperdisk-balanced', 'local-ssd'],
    serviceAccount: '123456789012-compute@developer.gserviceaccount.com',
  }
}

function image(architecture: Image['architecture'], of: Pick<Image, 'id' | 'project' | 'family'>): Image {
  return { ...of, name: `${of.family}-20260101`, architecture, diskSizeGb: 10, created: Date.UTC(2026, 0, 1) }
}
