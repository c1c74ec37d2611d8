import { nameFor } from '../../shared/instance-name.ts'
import type { Launch } from '../../instances.ts'
import type { Disk } from './disks.ts'
import type { Market } from './market.ts'
import type { NetworkInterface } from './network.ts'
import type { Accelerator, Options } from './options.ts'
import { ownershipLabels } from '../observe/ownership.ts'
import { userDataKey, encodeUserData } from './user-data.ts'

/** The part of the call that specs and lookups decide. Only the zone itself names a zone in it. */
export interface Run {
  readonly machineType: string
  /** The boot disk first. */
  readonly disks: readonly Disk[]
  readonly accelerators: readonly Accelerator[]
  readonly networkInterface: NetworkInterface
  readonly scheduling: Market['scheduling']
  readonly reservationAffinity: Market['reservationAffinity']
  readonly options: Options
}

/** The request of one machine, without the name of its attempt, the labels that follow from it, and the user data. */
export interface GcpRequest extends Record<string, unknown> {
  readonly zone: string
  readonly run: Run
  readonly additionalLabels: Readonly<Record<string, string>>
  readonly additionalMetadata: readonly { readonly key: string; readonly value?: string | undefined }[]
  readonly additionalNetworkTags: readonly string[]
}

/** The body of the insert. Throws 'invalid' for user data that GCE would not take. */
export function insertBody(want: Launch, zone: string): object {
  const { run, additionalLabels, additionalMetadata, additionalNetworkTags } = want.request as GcpRequest
  const { options, reservationAffinity } = run
  const labels = ownershipLabels(want, additionalLabels)
  return {
    name: nameFor(want),
    machineType: `zones/${zone}/machineTypes/${run.machineType}`,
    labels,
    tags: { items: networkTags(want.clusterName, additionalNetworkTags) },
    scheduling: run.scheduling,
    ...(reservationAffinity ? { reservationAffinity } : {}),
    disks: run.disks.map((disk) => diskBody(disk, zone, labels)),
    networkInterfaces: [run.networkInterface],
    ...(run.accelerators.length > 0
      ? { guestAccelerators: run.accelerators.map((one) => acceleratorBody(one, zone)) }
      : {}),
    ...options,
    metadata: {
      items: [
        ...additionalMetadata.filter(({ key }) => key !== userDataKey).map(({ key, value = '' }) => ({ key, value })),
        { key: userDataKey, value: encodeUserData(want.userData) },
      ],
    },
  }
}

/** Every disk ends with its instance. A disk that is left all the same has labels that tell its owner. */
function diskBody({ isBoot, type, sizeGb, image, key }: Disk, zone: string, labels: Record<string, string>): object {
  const diskType = `zones/${zone}/diskTypes/${type}`
  if (type === 'local-ssd') {
    return { type: 'SCRATCH', interface: 'NVME', autoDelete: true, initializeParams: { diskType } }
  }
  return {
    boot: isBoot,
    autoDelete: true,
    initializeParams: {
      ...(image === undefined ? {} : { sourceImage: image }),
      diskType,
      ...(sizeGb === undefined ? {} : { diskSizeGb: String(sizeGb) }),
      labels,
    },
    ...(key ? { diskEncryptionKey: key } : {}),
  }
}

function acceleratorBody({ type, count }: Accelerator, zone: string): object {
  return { acceleratorType: `zones/${zone}/acceleratorTypes/${type}`, acceleratorCount: count }
}

/** The first two are for firewall rules that Cluster API Provider GCP makes for a cluster. */
function networkTags(clusterName: string, additional: readonly string[]): string[] {
  const own = [`${clusterName}-node`, clusterName].filter((tag) => /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(tag))
  return [...new Set([...own, ...additional])]
}
