import { spotKind } from '../api/kinds.ts'
import type { Resource } from '../api/meta.ts'
import { attemptPatterns as aws } from './aws/observe/attempt-patterns.ts'
import { attemptPatterns as azure } from './azure/observe/attempt-patterns.ts'
import { attemptPatterns as gcp } from './gcp/observe/attempt-patterns.ts'
import { attemptPatterns as ibm } from './ibm/observe/attempt-patterns.ts'
import { ec2Buckets } from './aws/wire/buckets.ts'
import { armBuckets, leastBursts } from './azure/wire/buckets.ts'
import type { Cloud, CloudSettings } from './cloud.ts'
import { gceBuckets } from './gcp/wire/buckets.ts'
import type { Countings } from './shared/granted-limits.ts'
import { ibmBuckets } from './ibm/wire/buckets.ts'
import type { CloudName } from '../api/scope.ts'

/** The only place that names the clouds. A fifth one is a line in each table here and a folder beside. */
export const clouds: Readonly<Record<SupportedCloud, CloudKinds>> = {
  aws: { machines: spotKind('AWSMachine'), clusters: spotKind('AWSCluster') },
  azure: { machines: spotKind('AzureMachine'), clusters: spotKind('AzureCluster') },
  gcp: { machines: spotKind('GCPMachine'), clusters: spotKind('GCPCluster') },
  ibm: { machines: spotKind('IBMMachine'), clusters: spotKind('IBMCluster') },
}

export type SupportedCloud = Extract<CloudName, 'aws' | 'azure' | 'gcp' | 'ibm'>

export interface CloudKinds {
  readonly machines: Resource
  readonly clusters: Resource
}

/** Read at the start, to say what is wrong with `--granted-limits`: these tables load no cloud's library. */
export const countings: Readonly<Record<SupportedCloud, Countings>> = {
  aws: { buckets: ec2Buckets },
  azure: { buckets: armBuckets, leastBursts },
  gcp: { buckets: gceBuckets },
  ibm: { buckets: ibmBuckets },
}

/** How each writes its accounts. */
export const accountPatterns: Readonly<Record<SupportedCloud, RegExp>> = {
  aws: aws.account,
  azure: azure.account,
  gcp: gcp.account,
  ibm: ibm.account,
}

/** Each is loaded when the first of its machines is seen: nobody pays for the libraries of clouds that he has not. */
const loaders: Readonly<Record<SupportedCloud, (settings: CloudSettings) => Promise<Cloud>>> = {
  aws: async (settings) => (await import('./aws/cloud.ts')).awsCloud(settings),
  azure: async (settings) => (await import('./azure/cloud.ts')).azureCloud(settings),
  gcp: async (settings) => (await import('./gcp/cloud.ts')).gcpCloud(settings),
  ibm: async (settings) => (await import('./ibm/cloud.ts')).ibmCloud(settings),
}

/** Hands out each cloud once. */
export class CloudRegistry {
  readonly #settings: (name: SupportedCloud) => CloudSettings
  #loaded = new Map<SupportedCloud, Promise<Cloud>>()

  constructor(settings: (name: SupportedCloud) => CloudSettings) {
    this.#settings = settings
  }

  load(name: SupportedCloud): Promise<Cloud> {
    let cloud = this.#loaded.get(name)
    if (!cloud) {
      cloud = loaders[name](this.#settings(name))
      this.#loaded.set(name, cloud)
    }
    return cloud
  }
}
