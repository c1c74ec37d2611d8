import type { CloudName } from '../api/scope.ts'
import { aws } from './aws/entry.ts'
import { azure } from './azure/entry.ts'
import type { Cloud, CloudSettings } from './cloud.ts'
import type { CloudEntry } from './entry.ts'
import { gcp } from './gcp/entry.ts'
import { ibm } from './ibm/entry.ts'

/** The only place that names the clouds. */
export const clouds: Readonly<Record<CloudName, CloudEntry>> = { aws, azure, gcp, ibm }

export const supportedClouds = Object.keys(clouds) as CloudName[]

/** One value for each cloud, so that none is forgotten. */
export function eachCloud<T>(make: (name: CloudName) => T): Readonly<Record<CloudName, T>> {
  return Object.fromEntries(supportedClouds.map((name) => [name, make(name)])) as Record<CloudName, T>
}

/** Loads each cloud once, when its first machine needs it. */
export class CloudRegistry {
  readonly #settings: (name: CloudName) => CloudSettings
  readonly #loaded = new Map<CloudName, Promise<Cloud>>()

  constructor(settings: (name: CloudName) => CloudSettings) {
    this.#settings = settings
  }

  load(name: CloudName): Promise<Cloud> {
    let cloud = this.#loaded.get(name)
    if (!cloud) {
      cloud = clouds[name].load(this.#settings(name))
      this.#loaded.set(name, cloud)
    }
    return cloud
  }
}
