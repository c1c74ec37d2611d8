import { idOf, types } from '../ids.ts'
import { over, world, type Trap } from './trap.ts'

const { subscription, resourceGroups } = world
const [resourceGroup = ''] = resourceGroups
const gone = idOf({ subscription, resourceGroup, type: types.networkInterface, name: 'gone' })

type Reference = { id?: string; primary?: boolean; deleteOption?: string }
const withInterfaces = (...networkInterfaces: Reference[]) => over({ networkProfile: { networkInterfaces } })

/** Interfaces that a machine cannot have. */
export const interfaces: readonly Trap[] = [
  {
    trap: 'no network at all',
    said: over({ networkProfile: undefined } as never),
    code: 'InvalidParameter',
    message: "Required parameter 'networkProfile' is missing (null).",
  },
  {
    trap: 'no interface',
    said: withInterfaces(),
    code: 'InvalidParameter',
    message: "Required parameter 'networkInterfaces'",
  },
  {
    trap: 'an interface that is not there',
    said: withInterfaces({ id: gone, primary: true }),
    code: 'InvalidResourceReference',
    message: '/networkInterfaces/gone referenced by resource',
  },
  {
    trap: 'an interface that is no id',
    said: withInterfaces({ id: 'nic1', primary: true }),
    code: 'LinkedInvalidPropertyId',
    message: "'nic1'",
  },
  {
    trap: 'the same interface twice',
    said: (usual) => {
      const [one] = usual.networkProfile?.networkInterfaces ?? []
      return { ...usual, networkProfile: { networkInterfaces: [one ?? {}, { ...one, primary: false }] } }
    },
    code: 'BadRequest',
    message: 'more than once',
  },
  {
    trap: 'two interfaces of which neither is the primary one',
    said: withInterfaces({ id: gone }, { id: `${gone}2` }),
    code: 'VirtualMachineMustHaveOneNetworkInterfaceAsPrimary',
    message: 'must have one network interface set as the primary',
  },
  {
    trap: 'more interfaces than the size takes',
    said: withInterfaces({ id: gone, primary: true }, { id: `${gone}2` }, { id: `${gone}3` }),
    code: 'BadRequest',
    message: 'the maximum allowed is 2',
  },
  {
    trap: 'a delete option that is none',
    said: withInterfaces({ id: gone, primary: true, deleteOption: 'Keep' }),
    code: 'BadRequest',
    message: 'Error converting value "Keep" to type \'DiskDeleteOptionTypes\'.',
  },
  {
    trap: 'interfaces that Azure is to make, which are not simulated',
    said: over({
      networkProfile: {
        networkApiVersion: '2022-11-01',
        networkInterfaceConfigurations: [{ name: 'n', primary: true }],
      },
    }),
    code: 'NotSimulated',
    status: 501,
    message: 'does not simulate the member properties.networkProfile.network',
  },
]
