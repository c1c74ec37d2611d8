import { alreadyExists, GceError, invalidValue, required } from '../http/errors.ts'
import { isName, nameForm } from '../ids.ts'
import type { InsertPlan, Settings } from '../instances/instance.ts'
import { isOfferedIn, machineTypes, type MachineType } from '../supply/machine-types.ts'
import type { Project } from '../project.ts'
import { readReference } from '../references.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'
import type { World, Zone } from '../world.ts'
import { checkAccelerators } from './accelerators.ts'
import { checkDisks } from './disks.ts'
import { checkLabels, checkMetadata, checkTags } from './labels.ts'
import { checkNetwork } from './network.ts'
import { checkReservation } from './reservation.ts'
import { checkScheduling } from './scheduling.ts'

export interface Target {
  readonly zone: Zone
  readonly requestId: string | undefined
}

/** All that GCE checks before it accepts an insert, and what it then makes. */
export function plan(values: InstanceValues, { zone, requestId }: Target, project: Project): InsertPlan {
  const { world, instances } = project
  const name = checkName(values.name)
  const machineType = checkMachineType(values.machineType, zone, world)
  const accelerators = checkAccelerators(values.guestAccelerators, { zone, world })
  const hasAccelerators = accelerators.length > 0 || machineType.accelerators.length > 0
  const scheduling = checkScheduling(values.scheduling, hasAccelerators)
  const interfaces = checkNetwork(values.networkInterfaces, zone, project)
  const labels = checkLabels(values.labels)
  const metadata = checkMetadata(values.metadata)
  const wanted = { instanceType: machineType.name, zone: zone.name, isSpot: scheduling.isSpot }
  const reservation = checkReservation(values.reservationAffinity, wanted, project)
  const planned = settings(values, world)
  if (instances.find(name, zone.name)) {
    throw alreadyExists(`projects/${world.project}/zones/${zone.name}/instances/${name}`)
  }
  const disks = checkDisks(values.disks, { instance: name, zone, machineType }, project)
  return {
    name,
    zone,
    machineType,
    scheduling,
    interfaces,
    disks,
    accelerators,
    labels,
    metadata,
    reservation,
    requestId,
    settings: planned,
  }
}

function checkName(name: string | undefined): string {
  if (name === undefined || name === '') throw required('resource.name')
  if (isName(name)) return name
  throw invalidValue('resource.name', name, `Must be a match of regex '${nameForm}'`)
}

function checkMachineType(reference: string | undefined, zone: Zone, world: World): MachineType {
  if (reference === undefined) throw required('resource.machineType')
  const field = 'resource.machineType'
  const form = 'projects/{project}/zones/{zone}/machineTypes/{name}'
  const { zone: where, name } = readReference(reference, form, { project: world.project, field })
  const found = machineTypes.find((one) => one.name === name)
  if (where === zone.name && found && isOfferedIn(found, zone.name)) return found
  const why =
    where === zone.name
      ? `Machine type with name '${name}' does not exist in zone '${zone.name}'.`
      : `It is not in the zone '${zone.name}' of the instance.`
  throw invalidValue(field, reference, why)
}

function settings(values: InstanceValues, world: World): Settings {
  const { confidentialInstanceConfig, description, hostname, minCpuPlatform, shieldedInstanceConfig } = values
  return {
    canIpForward: values.canIpForward ?? false,
    isProtected: values.deletionProtection ?? false,
    tags: checkTags(values.tags),
    ...(description !== undefined && { description }),
    ...(hostname !== undefined && { hostname }),
    ...(minCpuPlatform !== undefined && { minCpuPlatform }),
    ...(confidentialInstanceConfig && { confidentialInstanceConfig }),
    ...(values.reservationAffinity && { reservationAffinity: values.reservationAffinity }),
    ...(values.serviceAccounts && { serviceAccounts: checkAccounts(values.serviceAccounts, world) }),
    shieldedInstanceConfig: {
      enableSecureBoot: false,
      enableVtpm: true,
      enableIntegrityMonitoring: true,
      ...shieldedInstanceConfig,
    },
  }
}

type Accounts = NonNullable<InstanceValues['serviceAccounts']>

function checkAccounts(asked: Accounts, { serviceAccount: usual, project }: World): Accounts {
  const field = 'resource.serviceAccounts'
  if (asked.length > 1) throw invalidValue(field, '', 'At most one service account can be enabled for an instance.')
  return asked.map(({ email = '', scopes = [] }) => {
    if (email !== 'default' && !/^[^@\s]+@[^@\s]+\.gserviceaccount\.com$/.test(email)) {
      throw invalidValue(`${field}[0].email`, email, 'The specified service account is invalid.')
    }
    const isKnown = ['default', usual].includes(email) || email.endsWith(`@${project}.iam.gserviceaccount.com`)
    if (!isKnown) {
      throw new GceError('notFound', `The resource of type 'serviceAccount' with identifier '${email}' was not found.`)
    }
    const odd = scopes.find((scope) => !/^https:\/\/www\.googleapis\.com\/auth\/[a-z0-9_.-]+$/.test(scope))
    if (odd !== undefined) throw invalidValue(`${field}[0].scopes`, odd, 'The specified scope is invalid.')
    if (scopes.length === 0) {
      throw invalidValue(`${field}[0].scopes`, '', 'You must specify at least one scope for a service account.')
    }
    return { email: email === 'default' ? usual : email, scopes }
  })
}
