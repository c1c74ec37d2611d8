import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../account.ts'
import { accepted, type ArmRequest, type Reply } from '../http/action.ts'
import { ArmError, notSimulated } from '../http/errors.ts'
import { instanceJson } from '../instances/instance-json.ts'
import type { Instance } from '../instances/instance.ts'
import { normal } from '../location.ts'
import { checkTags } from '../instances/tags.ts'
import type { VirtualMachineValues } from './fields.ts'
import { refuseSpotTerms } from './spot.ts'
import { checkSupply } from './supply.ts'

/** What a machine was made with stays as it is; the tags may change, and what failed is tried again. */
export function update(existing: Instance, values: VirtualMachineValues, request: ArmRequest, account: Account): Reply {
  if (existing.provisioning === 'Deleting') {
    throw new ArmError(
      'Conflict',
      `The request failed due to conflict with a concurrent request: the machine '${existing.plan.name}' is being deleted.`,
    )
  }
  refuseMove(existing, values)
  refuseOtherTerms(existing, values)
  refuseChanges(existing.plan.given, values)
  const { operations, instances, lifecycle, clock } = account
  const tags = checkTags(values.tags)
  const isRetry = existing.provisioning === 'Failed'
  const refusal = isRetry ? checkSupply(existing.plan, existing.id, account) : undefined
  existing.tags = tags
  instances.note(existing, clock.now())
  const operation = operations.begin('Microsoft.Compute')
  if (isRetry) lifecycle.launch(existing, operation, refusal)
  else operations.end(operation)
  return accepted({ status: 200, body: instanceJson(existing), operation }, request, account)
}

function refuseMove({ plan }: Instance, { location }: VirtualMachineValues): void {
  if (location === undefined) {
    throw new ArmError('LocationRequired', 'The location property is required for this definition.')
  }
  if (normal(location) === plan.location) return
  throw new ArmError(
    'InvalidResourceLocation',
    `The resource '${plan.name}' already exists in location '${plan.location}' in resource group ` +
      `'${plan.resourceGroup}'. A resource with the same name cannot be created in location '${location}'. Please ` +
      'select a new resource name.',
  )
}

/** On which terms it was bought is settled with its creation. */
function refuseOtherTerms({ plan, power }: Instance, { properties }: VirtualMachineValues): void {
  const { priority = 'Regular', evictionPolicy, billingProfile } = properties
  const { name, spot, given } = plan
  if (!spot) {
    if (priority !== 'Regular' && given.properties.priority === undefined) {
      throw new ArmError(
        'VMPriorityCannotBeApplied',
        `The specified priority value '${priority}' cannot be applied to the Virtual Machine '${name}' since no ` +
          'priority was specified when the Virtual Machine was created.',
        { target: 'priority' },
      )
    }
    refuseSpotTerms(properties)
    return
  }
  if (evictionPolicy !== undefined && evictionPolicy !== spot.evictionPolicy) throw unchangeable('evictionPolicy')
  if (billingProfile?.maxPrice === undefined || billingProfile.maxPrice === spot.maxPrice) return
  if (power === 'deallocated') throw notSimulated('another maximum price')
  throw new ArmError(
    'MaxPriceChangeNotAllowedForAllocatedVMs',
    `Max price change is not allowed when the VM '${name}' is currently allocated. Please deallocate and try again.`,
    { target: 'maxPrice' },
  )
}

type Reading = readonly [path: string, of: (values: VirtualMachineValues) => unknown]

/** What Azure never changes. */
const settled: readonly Reading[] = [
  ['zones', ({ zones }) => zones],
  ['hardwareProfile.vmSize', ({ properties }) => properties.hardwareProfile.vmSize],
  ['priority', ({ properties }) => properties.priority],
  ['storageProfile.imageReference', ({ properties }) => properties.storageProfile.imageReference],
  ['storageProfile.osDisk.name', ({ properties }) => properties.storageProfile.osDisk?.name],
  ['osProfile.computerName', ({ properties }) => properties.osProfile?.computerName],
  ['osProfile.adminUsername', ({ properties }) => properties.osProfile?.adminUsername],
  ['osProfile.customData', ({ properties }) => properties.osProfile?.customData],
  [
    'networkProfile.networkInterfaces',
    ({ properties }) => properties.networkProfile.networkInterfaces?.map(({ id }) => id.toLowerCase()),
  ],
]

/** What Azure changes, at least now and then, and this simulator does not. */
const unplayed: readonly Reading[] = [
  ['identity', ({ identity }) => identity],
  ['plan', ({ plan }) => plan],
  ['userData', ({ properties }) => properties.userData],
  ['securityProfile', ({ properties }) => properties.securityProfile],
  ['diagnosticsProfile', ({ properties }) => properties.diagnosticsProfile],
  ['additionalCapabilities', ({ properties }) => properties.additionalCapabilities],
  ['capacityReservation', ({ properties }) => properties.capacityReservation],
  ['licenseType', ({ properties }) => properties.licenseType],
  ['extensionsTimeBudget', ({ properties }) => properties.extensionsTimeBudget],
  ['scheduledEventsProfile', ({ properties }) => properties.scheduledEventsProfile],
  ['storageProfile.dataDisks', ({ properties }) => properties.storageProfile.dataDisks?.map(({ lun }) => lun)],
]

function refuseChanges(before: VirtualMachineValues, now: VirtualMachineValues): void {
  const path = changed(settled, before, now)
  if (path !== undefined) throw unchangeable(path)
  const other = changed(unplayed, before, now)
  if (other !== undefined) throw notSimulated(`a change of ${other}`)
}

/** What is not said is not changed; what is empty and was not there before is no change. */
function changed(readings: readonly Reading[], before: VirtualMachineValues, now: VirtualMachineValues) {
  const isChanged = ([, of]: Reading) => {
    const wanted = of(now)
    const isEmpty = Array.isArray(wanted) && wanted.length === 0 && of(before) === undefined
    return wanted !== undefined && !isEmpty && !isDeepStrictEqual(wanted, of(before))
  }
  return readings.find(isChanged)?.[0]
}

function unchangeable(path: string): ArmError {
  return new ArmError('PropertyChangeNotAllowed', `Changing property '${path}' is not allowed.`, { target: path })
}
