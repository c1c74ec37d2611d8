import type { Account } from '../account.ts'
import { types } from '../ids.ts'
import type { DiskPlan, Instance, LaunchPlan } from './instance.ts'
import { etagOf, timeText } from '../http/json.ts'

export interface Shown {
  readonly instanceView?: boolean
  readonly userData?: boolean
}

/** A machine as Azure shows it. Custom data and passwords are never shown again. */
export function instanceJson(instance: Readonly<Instance>, { instanceView, userData }: Shown = {}): object {
  const { id, vmId, plan, createdAt, tags, provisioning } = instance
  const { name, location, zone, given } = plan
  const { properties, identity, plan: marketplacePlan } = given
  return {
    name,
    id,
    type: types.virtualMachine,
    location,
    ...(Object.keys(tags).length > 0 ? { tags } : {}),
    ...(zone === undefined ? {} : { zones: [zone] }),
    ...(identity === undefined ? {} : { identity }),
    ...(marketplacePlan === undefined ? {} : { plan: marketplacePlan }),
    etag: etagOf(instance),
    properties: {
      hardwareProfile: { vmSize: plan.type.name },
      provisioningState: provisioning,
      vmId,
      ...kept(properties),
      ...spotJson(plan),
      storageProfile: storageJson(instance),
      osProfile: osProfileJson(plan),
      networkProfile: {
        networkInterfaces: plan.interfaces.map((use) => ({
          id: use.id,
          properties: { primary: use.isPrimary, deleteOption: use.deleteOption },
        })),
      },
      timeCreated: timeText(createdAt),
      ...(userData === true && properties.userData !== undefined ? { userData: properties.userData } : {}),
      ...(instanceView === true ? { instanceView: instanceViewJson(instance) } : {}),
    },
  }
}

/** What is only kept and shown again. */
function kept(properties: LaunchPlan['given']['properties']): object {
  const { securityProfile, diagnosticsProfile, additionalCapabilities, licenseType, extensionsTimeBudget } = properties
  const { scheduledEventsProfile, capacityReservation } = properties
  const all = {
    securityProfile,
    diagnosticsProfile,
    additionalCapabilities,
    licenseType,
    extensionsTimeBudget,
    scheduledEventsProfile,
    capacityReservation,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function spotJson({ spot, given }: LaunchPlan): object {
  const { priority, billingProfile } = given.properties
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(spot ? { evictionPolicy: spot.evictionPolicy } : {}),
    ...(billingProfile === undefined ? {} : { billingProfile }),
  }
}

function storageJson({ plan }: Readonly<Instance>): object {
  const { imageReference, osDisk, dataDisks = [] } = plan.given.properties.storageProfile
  return {
    imageReference,
    osDisk: { osType: plan.image.os, caching: 'None', ...osDisk, ...diskJson(plan.osDisk) },
    dataDisks: dataDisks.map((disk, at) => {
      const planned = plan.dataDisks[at]
      return { caching: 'None', ...disk, ...(planned ? diskJson(planned) : {}), toBeDetached: false }
    }),
  }
}

function diskJson({ id, name, sizeGB, sku, deleteOption }: DiskPlan): object {
  return { name, diskSizeGB: sizeGB, deleteOption, managedDisk: { id, storageAccountType: sku } }
}

function osProfileJson({ given, computerName }: LaunchPlan): object {
  const {
    adminUsername,
    linuxConfiguration,
    windowsConfiguration,
    allowExtensionOperations = true,
  } = given.properties.osProfile ?? {}
  return {
    computerName,
    adminUsername,
    ...(linuxConfiguration === undefined ? {} : { linuxConfiguration }),
    ...(windowsConfiguration === undefined ? {} : { windowsConfiguration }),
    secrets: [],
    allowExtensionOperations,
    requireGuestProvisionSignal: true,
  }
}

/** What the list of states says of a machine: as little as Azure's documents promise. */
export function statusJson(instance: Readonly<Instance>, { statusList }: Account): object {
  const isMissing = statusList.missesPower()
  const view = { statuses: isMissing ? [provisioningStatus(instance)] : statusesOf(instance) }
  if (statusList.detail === 'full') {
    const full = instanceJson(instance) as { properties: object }
    return { ...full, properties: { ...full.properties, instanceView: view } }
  }
  const { id, plan, provisioning } = instance
  return {
    name: plan.name,
    id,
    type: types.virtualMachine,
    location: plan.location,
    properties: { provisioningState: provisioning, instanceView: view },
  }
}

export function instanceViewJson(instance: Readonly<Instance>): object {
  const { plan } = instance
  return {
    ...(instance.power === 'running' ? { computerName: plan.computerName, hyperVGeneration: 'V2' } : {}),
    disks: [plan.osDisk, ...plan.dataDisks].map(({ name }) => ({
      name,
      statuses: [{ code: 'ProvisioningState/succeeded', level: 'Info', displayStatus: 'Provisioning succeeded' }],
    })),
    statuses: statusesOf(instance),
  }
}

interface Status {
  readonly code: string
  readonly level: 'Info' | 'Error'
  readonly displayStatus: string
  readonly message?: string
  readonly time?: string
}

function statusesOf(instance: Readonly<Instance>): readonly Status[] {
  const { power } = instance
  const provisioning = provisioningStatus(instance)
  if (power === undefined) return [provisioning]
  return [provisioning, { code: `PowerState/${power}`, level: 'Info', displayStatus: `VM ${power}` }]
}

function provisioningStatus({ provisioning, failure, changedAt }: Readonly<Instance>): Status {
  if (provisioning === 'Failed' && failure) {
    return {
      code: `ProvisioningState/failed/${failure.code}`,
      level: 'Error',
      displayStatus: 'Provisioning failed',
      message: failure.message,
      time: timeText(changedAt),
    }
  }
  if (provisioning === 'Succeeded') {
    return {
      code: 'ProvisioningState/succeeded',
      level: 'Info',
      displayStatus: 'Provisioning succeeded',
      time: timeText(changedAt),
    }
  }
  return { code: `ProvisioningState/${provisioning.toLowerCase()}`, level: 'Info', displayStatus: provisioning }
}
