import { idOf, types } from '../ids.ts'
import { over, world, trapsOf } from './trap.ts'

const { subscription, resourceGroups } = world
const [resourceGroup = ''] = resourceGroups
const gone = idOf({ subscription, resourceGroup, type: types.networkInterface, name: 'gone' })

type Reference = { id?: string; primary?: boolean; deleteOption?: string }
const withInterfaces = (...networkInterfaces: Reference[]) => over({ networkProfile: { networkInterfaces } })

/** Interfaces that a machine cannot have. */
export const interfaces = trapsOf({
  InvalidParameter: [
    [
      'no network at all',
      over({ networkProfile: undefined } as never),
      "Required parameter 'networkProfile' is missing (null).",
    ],
    ['no interface', withInterfaces(), "Required parameter 'networkInterfaces'"],
  ],
  InvalidResourceReference: [
    [
      'an interface that is not there',
      withInterfaces({ id: gone, primary: true }),
      '/networkInterfaces/gone referenced by resource',
    ],
  ],
  LinkedInvalidPropertyId: [['an interface that is no id', withInterfaces({ id: 'nic1', primary: true }), "'nic1'"]],
  BadRequest: [
    [
      'the same interface twice',
      (usual) => {
        const [one] = usual.networkProfile?.networkInterfaces ?? []
        return { ...usual, networkProfile: { networkInterfaces: [one ?? {}, { ...one, primary: false }] } }
      },
      'more than once',
    ],
    [
      'more interfaces than the size takes',
      withInterfaces({ id: gone, primary: true }, { id: `${gone}2` }, { id: `${gone}3` }),
      'the maximum allowed is 2',
    ],
    [
      'a delete option that is none',
      withInterfaces({ id: gone, primary: true, deleteOption: 'Keep' }),
      'Error converting value "Keep" to type \'DiskDeleteOptionTypes\'.',
    ],
  ],
  VirtualMachineMustHaveOneNetworkInterfaceAsPrimary: [
    [
      'two interfaces of which neither is the primary one',
      withInterfaces({ id: gone }, { id: `${gone}2` }),
      'must have one network interface set as the primary',
    ],
  ],
  NotSimulated: [
    [
      'interfaces that Azure is to make, which are not simulated',
      over({
        networkProfile: {
          networkApiVersion: '2022-11-01',
          networkInterfaceConfigurations: [{ name: 'n', primary: true }],
        },
      }),
      'does not simulate the member properties.networkProfile.network',
      501,
    ],
  ],
})
