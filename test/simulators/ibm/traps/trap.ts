/** A request for an instance that IBM refuses. */
export interface Trap {
  readonly trap: string
  /** What the request says that it should not. */
  readonly said: object
  readonly code: string
  /** Where the mistake is; undefined: IBM does not say. */
  readonly target: string | undefined
  /** Undefined: 400. */
  readonly status: number | undefined
}

type Row = readonly [trap: string, said: object, target?: string | undefined, status?: number]

/** What is refused, by the code that it is refused with. */
export function trapsOf(byCode: Readonly<Record<string, readonly Row[]>>): readonly Trap[] {
  return Object.entries(byCode).flatMap(([code, rows]) =>
    rows.map(([trap, said, target, status]) => ({ trap, said, code, target, status })),
  )
}

export const zone1Subnet = '0717-5b07c1a0-0000-4000-8000-000000000021'
export const zone2Subnet = '0727-5b07c1a0-0000-4000-8000-000000000021'
export const otherVpcSubnet = '0717-5b07c1a0-0000-4000-8000-000000000022'
export const group = 'r006-5b07c1a0-0000-4000-8000-000000000031'
export const otherVpcGroup = 'r006-5b07c1a0-0000-4000-8000-000000000034'
export const otherVpc = 'r006-5b07c1a0-0000-4000-8000-000000000002'
export const host = '0717-5b07c1a0-0000-4000-8000-000000000071'
export const hosts = '0717-5b07c1a0-0000-4000-8000-000000000072'
export const apart = 'r006-5b07c1a0-0000-4000-8000-000000000061'
export const nowhere = 'r006-00000000-0000-4000-8000-000000000000'

export const image = (number: string) => ({ image: { id: `r006-5b07c1a0-0000-4000-8000-0000000000${number}` } })

/** The interface of the usual request, but for what is given. */
export const attached = (over: object) => ({
  primary_network_attachment: { virtual_network_interface: { subnet: { id: zone1Subnet }, ...over } },
})
export const own = { primary_network_interface: { subnet: { id: zone1Subnet } } }
export const boot = (volume: object) => ({
  boot_volume_attachment: { volume: { profile: { name: 'general-purpose' }, ...volume } },
})
export const data = (volume: object) => ({
  volume_attachments: [{ volume: { profile: { name: 'general-purpose' }, capacity: 20, ...volume } }],
})
export const standard = { availability: { class: 'standard' } }
