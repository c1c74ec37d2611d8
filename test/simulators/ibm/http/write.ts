import { crnOf, type Kind, type Place, type Resource } from '../ids.ts'
import type { Zone } from '../world.ts'

/** Where the caller found the API, and whose it is. */
export interface Base extends Place {
  /** As `http://127.0.0.1:1234/v1`. */
  readonly url: string
}

export function hrefOf(kind: Kind, { id }: Pick<Resource, 'id'>, { url }: Base): string {
  return `${url}/${kind.path}/${id}`
}

/** IBM does not say of these what they are. */
const withoutType: ReadonlySet<string> = new Set(['key', 'security-group', 'network-acl'])

/** A resource as others refer to it. */
export function reference(kind: Kind, resource: Resource, base: Base) {
  const { id, name } = resource
  const common = { crn: crnOf(kind, resource, base), href: hrefOf(kind, resource, base), id, name }
  return withoutType.has(kind.type) ? common : { ...common, resource_type: kind.type.replaceAll('-', '_') }
}

export function zoneReference({ name }: Pick<Zone, 'name'>, { url, region }: Base) {
  return { href: `${url}/regions/${region}/zones/${name}`, name }
}

export function resourceGroupReference({ id, name }: Resource) {
  return { href: `https://resource-controller.cloud.ibm.com/v2/resource_groups/${id}`, id, name }
}

export function reservedIpReference(
  { reservedIp, address, subnet }: { reservedIp: string; address: string; subnet: Resource },
  { url }: Base,
) {
  return {
    address,
    href: `${url}/subnets/${subnet.id}/reserved_ips/${reservedIp}`,
    id: reservedIp,
    name: `ip-${reservedIp.slice(-12)}`,
    resource_type: 'subnet_reserved_ip',
  }
}

/** As IBM writes times. */
export function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
