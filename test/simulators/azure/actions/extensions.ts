import type { Account } from '../account.ts'
import { accepted, callsOf, given, type Action, type ArmRequest, type Reply } from '../http/action.ts'
import { computeWording, decode } from '../http/decode.ts'
import { ArmError } from '../http/errors.ts'
import { structure } from '../http/fields.ts'
import { boolean, each, kept, map, output, required, text, unplayed } from '../../kit/http/schema.ts'
import type { Extension, Instance } from '../instances/instance.ts'
import { paths, versions } from '../http/versions.ts'
import { machineOf } from './virtual-machines.ts'

const all = `${paths.group}/providers/Microsoft.Compute/virtualMachines/{name}/extensions`

const fields = {
  location: required(text),
  tags: map(text),
  properties: structure('VirtualMachineExtensionProperties', {
    publisher: required(text),
    type: required(text),
    typeHandlerVersion: required(text),
    settings: kept,
    protectedSettings: kept,
    autoUpgradeMinorVersion: boolean,
    ...each(
      unplayed,
      'enableAutomaticUpgrade forceUpdateTag protectedSettingsFromKeyVault provisionAfterExtensions suppressFailures',
    ),
    provisioningState: output,
    instanceView: output,
  }),
  id: output,
} as const

/** Of what this publisher offers; the real list is long. */
const known: Readonly<Record<string, readonly string[]>> = {
  'Microsoft.Azure.Extensions': ['CustomScript'],
  'Microsoft.Azure.ActiveDirectory': ['AADSSHLoginForLinux'],
}

function put(request: ArmRequest, account: Account): Reply {
  const { properties } = decode('VirtualMachineExtension', fields, request.body, computeWording)
  if (!properties) throw new ArmError('InvalidParameter', "Required parameter 'properties' is missing (null).")
  const { publisher, type, typeHandlerVersion: version, protectedSettings } = properties
  const instance = machineOf(request, account)
  if (instance.power !== 'running') {
    throw new ArmError('OperationNotAllowed', 'Cannot modify extensions in the VM when the VM is not running.')
  }
  if (!known[publisher]?.includes(type)) {
    throw new ArmError(
      'ArtifactNotFound',
      `The VM extension with publisher '${publisher}' and type '${type}' could not be found in location ` +
        `'${account.world.location}'. Settings: ${JSON.stringify(protectedSettings)}`,
    )
  }
  const now = account.clock.now()
  if ([...instance.extensions.values()].some(({ readyAt }) => readyAt > now)) {
    throw new ArmError('Conflict', 'The request failed due to conflict with a concurrent request.')
  }
  const fails = JSON.stringify(protectedSettings ?? {}).includes('exit 1')
  const extension: Extension = { name: given(request, 'extension'), publisher, version, fails, readyAt: now + 1_000 }
  instance.extensions.set(extension.name.toLowerCase(), extension)
  const operation = account.operations.begin('Microsoft.Compute')
  account.operations.end(operation)
  return accepted({ status: 201, body: json(instance, extension, account), operation }, request, account)
}

function json({ id }: Instance, { name, publisher, version, readyAt, fails }: Extension, { clock }: Account): object {
  const state = readyAt > clock.now() ? 'Creating' : fails ? 'Failed' : 'Succeeded'
  return {
    id: `${id}/extensions/${name}`,
    name,
    type: 'Microsoft.Compute/virtualMachines/extensions',
    properties: { publisher, type: name, typeHandlerVersion: version, provisioningState: state },
  }
}

const call = callsOf(versions.compute)

export const extensionActions: readonly Action[] = [
  call.put(
    'VirtualMachineExtensions_CreateOrUpdate',
    `${all}/{extension}`,
    ['UpdateVMSubscription', 'UpdateVMMachine'],
    put,
  ),
  call.get(
    'VirtualMachineExtensions_List',
    all,
    ['LowCostGetVMSubscription', 'LowCostGetVMMachine'],
    (request, account) => {
      const instance = machineOf(request, account)
      return {
        status: 200,
        body: { value: [...instance.extensions.values()].map((one) => json(instance, one, account)) },
      }
    },
  ),
]
