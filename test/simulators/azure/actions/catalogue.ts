import { given, callsOf, type Action } from '../http/action.ts'
import { ArmError } from '../http/errors.ts'
import { instanceTypes, type InstanceType } from '../supply/instance-types.ts'
import { page } from '../http/listing.ts'
import { normal } from '../location.ts'
import { paths, versions } from '../http/versions.ts'
import type { World } from '../world.ts'

const compute = `${paths.subscription}/providers/Microsoft.Compute`

/** One size, as the list of what a subscription may have says it. */
function skuJson(type: InstanceType, { location, zones }: World): object {
  const { name, family } = type
  const [tier = '', size = ''] = name.split(/_(.*)/s)
  return {
    resourceType: 'virtualMachines',
    name,
    tier,
    size,
    family,
    locations: [location],
    locationInfo: [{ location, zones: type.zones.filter((zone) => zones.includes(zone)), zoneDetails: [] }],
    capabilities: Object.entries(capabilities(type)).map(([capability, value]) => ({ name: capability, value })),
    restrictions: [],
  }
}

function capabilities(type: InstanceType): Readonly<Record<string, string>> {
  return {
    vCPUs: String(type.cpus),
    vCPUsAvailable: String(type.cpus),
    MemoryGB: String(type.memoryMiB / 1024),
    CpuArchitectureType: type.architecture,
    HyperVGenerations: 'V1,V2',
    LowPriorityCapable: truth(type.hasSpot),
    EphemeralOSDiskSupported: truth(type.ephemeralDiskGB !== undefined),
    ...(type.ephemeralDiskGB === undefined ? {} : { MaxResourceVolumeMB: String(type.ephemeralDiskGB * 1024) }),
    MaxDataDiskCount: String(type.dataDisks),
    MaxNetworkInterfaces: String(type.interfaces),
    PremiumIO: 'True',
    AcceleratedNetworkingEnabled: 'True',
    ...(type.gpus > 0 ? { GPUs: String(type.gpus) } : {}),
  }
}

function truth(value: boolean): string {
  return value ? 'True' : 'False'
}

/** `location eq 'westus2'`, and nothing else. */
function locationIn(filter: string | null): string | undefined {
  if (filter === null) return undefined
  const [, location] = /^\s*location\s+eq\s+'([^']*)'\s*$/i.exec(filter) ?? []
  if (location !== undefined) return normal(location)
  throw new ArmError(
    'InvalidParameter',
    `The $filter '${filter}' is not supported; only location can be filtered by.`,
    {
      target: '$filter',
    },
  )
}

const computeCall = callsOf(versions.compute)
const skus = callsOf(versions.skus)

export const catalogueActions: readonly Action[] = [
  skus.get('ResourceSkus_List', `${compute}/skus`, [], (request, account) => {
    const { world } = account
    const location = locationIn(request.query.get('$filter'))
    const isListed = location === undefined || location === world.location
    const items = instanceTypes.map((type, at) => ({ number: at + 1, type })).filter(() => isListed)
    return page('ResourceSkus_List', items, ({ type }) => skuJson(type, world), { request, account })
  }),
  computeCall.get('Usage_List', `${compute}/locations/{location}/usages`, [], (request, account) => {
    const location = normal(given(request, 'location'))
    if (location !== account.world.location) {
      throw new ArmError(
        'NoRegisteredProviderFound',
        `No registered resource provider found for location '${location}'.`,
      )
    }
    const items = account.quotas.usages(account.instances.all).map((usage, at) => ({ ...usage, number: at + 1 }))
    const write = ({ name, localName, used, limit }: (typeof items)[number]) => ({
      limit,
      unit: 'Count',
      currentValue: used,
      name: { value: name, localizedValue: localName },
    })
    return page('Usage_List', items, write, { request, account })
  }),
]
