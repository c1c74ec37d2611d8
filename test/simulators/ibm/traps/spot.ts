import { apart, host, hosts, standard, trapsOf } from './trap.ts'

const placement = (id: string) => ({ placement_target: { id } })
const affinity = (policy: string, ...pool: object[]) => ({ reservation_affinity: { policy, pool } })

/** What IBM does not let one ask of spot instances, and of reservations. */
export const spot = trapsOf({
  bad_field: [
    ['spot on a profile that is not', { profile: { name: 'bx2-2x8' } }, 'availability.class'],
    [
      'standard on a profile that is spot only',
      { ...standard, profile: { name: 'gx3-64x320x4l4' } },
      'availability.class',
    ],
    [
      'a profile that the zone has not',
      { profile: { name: 'gx3-16x80x1l4' }, zone: { name: 'us-south-2' } },
      'profile',
    ],
    ['spot with whatever reservation there is', affinity('automatic'), 'reservation_affinity.policy'],
    ['spot on a dedicated host', placement(host), 'placement_target'],
    ['spot in a group of dedicated hosts', placement(hosts), 'placement_target'],
    ['spot with half a processor', { vcpu: { percentage: 50 }, reservation_affinity: undefined }, 'vcpu.percentage'],
    ['a share of a processor that the profile has not', { vcpu: { percentage: 33 } }, 'vcpu.percentage'],
    [
      'a placement group with reservations',
      { ...standard, ...placement(apart), ...affinity('automatic') },
      'reservation_affinity.policy',
    ],
    [
      'half a processor with reservations',
      { ...standard, vcpu: { percentage: 50 }, ...affinity('automatic') },
      'reservation_affinity',
    ],
    ...(['disabled', 'automatic'] as const).map((policy) => {
      const said = { ...standard, profile: { name: 'nxf-1x4' }, ...affinity(policy) }
      return [`one processor, and a word of reservations (${policy})`, said, 'reservation_affinity'] as const
    }),
    ['one reservation, and which one is not said', { ...standard, ...affinity('manual') }, 'reservation_affinity.pool'],
    [
      'a reservation where none is wanted',
      { ...standard, ...affinity('disabled', { id: 'r' }) },
      'reservation_affinity.pool',
    ],
    [
      'a reservation that there is not',
      { ...standard, ...affinity('manual', { id: 'r' }) },
      'reservation_affinity.pool[0].id',
    ],
  ],
})
