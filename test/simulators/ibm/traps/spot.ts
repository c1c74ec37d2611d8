import { apart, host, hosts, standard, type Trap } from './trap.ts'

const placement = (id: string) => ({ placement_target: { id } })
const affinity = (policy: string, ...pool: object[]) => ({ reservation_affinity: { policy, pool } })

/** What IBM does not let one ask of spot instances, and of reservations. */
export const spot: readonly Trap[] = [
  {
    trap: 'spot on a profile that is not',
    said: { profile: { name: 'bx2-2x8' } },
    code: 'bad_field',
    target: 'availability.class',
  },
  {
    trap: 'standard on a profile that is spot only',
    said: { ...standard, profile: { name: 'gx3-64x320x4l4' } },
    code: 'bad_field',
    target: 'availability.class',
  },
  {
    trap: 'a profile that the zone has not',
    said: { profile: { name: 'gx3-16x80x1l4' }, zone: { name: 'us-south-2' } },
    code: 'bad_field',
    target: 'profile',
  },
  {
    trap: 'spot with whatever reservation there is',
    said: affinity('automatic'),
    code: 'bad_field',
    target: 'reservation_affinity.policy',
  },
  { trap: 'spot on a dedicated host', said: placement(host), code: 'bad_field', target: 'placement_target' },
  { trap: 'spot in a group of dedicated hosts', said: placement(hosts), code: 'bad_field', target: 'placement_target' },
  {
    trap: 'spot with half a processor',
    said: { vcpu: { percentage: 50 }, reservation_affinity: undefined },
    code: 'bad_field',
    target: 'vcpu.percentage',
  },
  {
    trap: 'a share of a processor that the profile has not',
    said: { vcpu: { percentage: 33 } },
    code: 'bad_field',
    target: 'vcpu.percentage',
  },
  {
    trap: 'a placement group with reservations',
    said: { ...standard, ...placement(apart), ...affinity('automatic') },
    code: 'bad_field',
    target: 'reservation_affinity.policy',
  },
  {
    trap: 'half a processor with reservations',
    said: { ...standard, vcpu: { percentage: 50 }, ...affinity('automatic') },
    code: 'bad_field',
    target: 'reservation_affinity',
  },
  ...(['disabled', 'automatic'] as const).map((policy) => ({
    trap: `one processor, and a word of reservations (${policy})`,
    said: { ...standard, profile: { name: 'nxf-1x4' }, ...affinity(policy) },
    code: 'bad_field',
    target: 'reservation_affinity',
  })),
  {
    trap: 'one reservation, and which one is not said',
    said: { ...standard, ...affinity('manual') },
    code: 'bad_field',
    target: 'reservation_affinity.pool',
  },
  {
    trap: 'a reservation where none is wanted',
    said: { ...standard, ...affinity('disabled', { id: 'r' }) },
    code: 'bad_field',
    target: 'reservation_affinity.pool',
  },
  {
    trap: 'a reservation that there is not',
    said: { ...standard, ...affinity('manual', { id: 'r' }) },
    code: 'bad_field',
    target: 'reservation_affinity.pool[0].id',
  },
]
