import type { Launch } from '../../instances.ts'
import { dataDiskName, interfacePath, osDiskName, type VmAddress } from '../wire/resource-ids.ts'
import { tagsFor, type Bought } from '../observe/ownership.ts'
import { encodeUserData } from './user-data.ts'

type Json = Readonly<Record<string, unknown>>

/** The request of one machine, without the parts that follow from the attempt: names, tags and user data. */
export interface AzureRequest extends Record<string, unknown> {
  readonly location: string
  readonly bought: Bought
  readonly additionalTags: Readonly<Record<string, string>>
  /** The properties of the network interface. */
  readonly interface: Json
  readonly machine: {
    readonly plan: Json | undefined
    readonly identity: Json | undefined
    readonly image: Json
    readonly osDisk: Json
    readonly dataDisks: readonly (Json & { readonly suffix: string })[]
    /** All other properties. */
    readonly properties: Json
  }
  /** Undefined: no login is wanted. */
  readonly sshKey: string | undefined
}

/** The bodies of both calls. */
export interface Bodies {
  readonly interface: Json
  readonly machine: Json
  /** The user data, as one of the bodies has it. */
  readonly secret: string
}

export const adminName = 'capi'

/** Throws 'invalid' for user data that Azure would not take. */
export function bodiesFor(want: Launch, vm: VmAddress, newKey: () => string): Bodies {
  const { location, bought, additionalTags, interface: network, machine, sshKey } = want.request as AzureRequest
  const tags = tagsFor(want, bought, additionalTags)
  const { name } = vm
  const customData = encodeUserData(want.userData)
  return {
    secret: customData,
    interface: { location, tags, properties: network },
    machine: {
      location,
      tags,
      ...(bought.zone === '' ? {} : { zones: [bought.zone] }),
      ...(machine.plan ? { plan: machine.plan } : {}),
      ...(machine.identity ? { identity: machine.identity } : {}),
      properties: {
        hardwareProfile: { vmSize: bought.instanceType },
        ...machine.properties,
        storageProfile: {
          imageReference: machine.image,
          osDisk: { ...machine.osDisk, name: osDiskName(name), createOption: 'FromImage', deleteOption: 'Delete' },
          ...(machine.dataDisks.length > 0 ? { dataDisks: dataDisksFor(name, machine.dataDisks) } : {}),
        },
        osProfile: {
          computerName: name,
          adminUsername: adminName,
          customData,
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: {
              publicKeys: [{ path: `/home/${adminName}/.ssh/authorized_keys`, keyData: sshKey ?? newKey() }],
            },
          },
        },
        networkProfile: {
          networkInterfaces: [{ id: interfacePath(vm), properties: { primary: true, deleteOption: 'Delete' } }],
        },
      },
    },
  }
}

function dataDisksFor(name: string, disks: AzureRequest['machine']['dataDisks']): Json[] {
  return disks.map(({ suffix, ...disk }) => ({
    ...disk,
    name: dataDiskName(name, suffix),
    createOption: 'Empty',
    deleteOption: 'Delete',
  }))
}
