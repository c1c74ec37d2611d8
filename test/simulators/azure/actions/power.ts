import type { Account } from '../account.ts'
import { accepted, callsOf, type Action, type ArmRequest, type Reply } from '../http/action.ts'
import type { BucketName } from '../http/buckets.ts'
import { ArmError } from '../http/errors.ts'
import { isSpot, type Instance } from '../instances/instance.ts'
import type { Operation } from '../http/operations.ts'
import { paths, versions } from '../http/versions.ts'
import { checkSupply } from '../launch/supply.ts'
import { machineOf } from './virtual-machines.ts'

const one = `${paths.group}/providers/Microsoft.Compute/virtualMachines/{name}`

interface Change {
  readonly verb: string
  readonly name: string
  readonly bucket: 'UpdateVM' | 'DeleteVM'
  readonly begin: (instance: Instance, operation: Operation, account: Account) => void
}

const changes: readonly Change[] = [
  { verb: 'start', name: 'VirtualMachines_Start', bucket: 'UpdateVM', begin: start },
  {
    verb: 'restart',
    name: 'VirtualMachines_Restart',
    bucket: 'UpdateVM',
    begin: (instance, operation, { lifecycle }) => lifecycle.start(instance, operation, undefined),
  },
  {
    verb: 'powerOff',
    name: 'VirtualMachines_PowerOff',
    bucket: 'UpdateVM',
    begin: (instance, operation, { lifecycle }) => lifecycle.stop(instance, operation),
  },
  {
    verb: 'deallocate',
    name: 'VirtualMachines_Deallocate',
    bucket: 'DeleteVM',
    begin: (instance, operation, { lifecycle }) => lifecycle.deallocate(instance, operation),
  },
]

function start(instance: Instance, operation: Operation, account: Account): void {
  if (instance.power === 'running') account.operations.end(operation)
  else account.lifecycle.start(instance, operation, checkSupply(instance.plan, instance.id, account))
}

function perform({ begin }: Change, request: ArmRequest, account: Account): Reply {
  const instance = machineOf(request, account)
  if (instance.provisioning === 'Deleting') {
    throw new ArmError(
      'OperationNotAllowed',
      `Operation is not allowed on VM '${instance.plan.name}' since the VM is marked for deletion. You can only retry ` +
        'the Delete operation (or wait for an ongoing one to complete).',
    )
  }
  const operation = account.operations.begin('Microsoft.Compute')
  begin(instance, operation, account)
  return accepted({ status: 202, operation }, request, account)
}

function evict(request: ArmRequest, account: Account): Reply {
  const instance = machineOf(request, account)
  if (!isSpot(instance) || instance.power !== 'running') {
    throw new ArmError(
      'OperationNotAllowed',
      `Simulate eviction is allowed for Azure Spot Virtual Machines that run, and for no others: '${instance.plan.name}'.`,
    )
  }
  account.lifecycle.evict(instance, account.evictionNoticeMs)
  return { status: 204 }
}

function bucketsOf(kind: 'UpdateVM' | 'DeleteVM'): readonly BucketName[] {
  return [`${kind}Subscription`, `${kind}Machine`]
}

const call = callsOf(versions.compute)

export const powerActions: readonly Action[] = [
  ...changes.map((change): Action => ({
    name: change.name,
    method: 'POST',
    path: `${one}/${change.verb}`,
    versions: versions.compute,
    buckets: bucketsOf(change.bucket),
    perform: (request, account) => perform(change, request, account),
  })),
  call.post('VirtualMachines_SimulateEviction', `${one}/simulateEviction`, bucketsOf('DeleteVM'), evict),
]
