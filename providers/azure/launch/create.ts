import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { isDefinite } from '../../../api/refusal.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Launch } from '../../instances.ts'
import { tagOf, notOurs, tenantOf } from '../../shared/ownership.ts'
import type { Arm, Send } from '../wire/client.ts'
import { resourceIn, shapes } from '../wire/answers.ts'
import type { VirtualMachine } from '../wire/documents.ts'
import { isMissing } from '../wire/errors.ts'
import { withFields } from '../wire/fields.ts'
import type { Finder } from '../observe/find.ts'
import { nameFor } from '../../shared/instance-name.ts'
import { idOf, interfacePath, machinePath, type VmAddress } from '../wire/resource-ids.ts'
import { isAnothers } from '../observe/ownership.ts'
import { groupOfAccount } from '../observe/provider-id.ts'
import { bodiesFor, type AzureRequest, type Bodies } from './request.ts'
import type { InstanceHistory } from '../observe/history.ts'
import { nobodysKey } from './ssh-key.ts'
import { toInstance } from '../observe/state.ts'

/** Azure makes a machine under this header only where none has the name. It has no such condition for interfaces. */
const onlyNew = { 'if-none-match': '*' }

interface Tools {
  readonly arm: Arm
  readonly finder: Finder
  readonly history: InstanceHistory
}

interface Asked extends Tools {
  readonly want: Launch
  readonly vm: VmAddress
  readonly bodies: Bodies
}

/**
 * Makes a network interface, then the machine, which takes the interface along to its end. Both have a name that only
 * this attempt has, so a second call finds the work of the first.
 */
export async function create(want: Launch, tools: Tools, ctx: Ctx): Promise<Instance> {
  const { scope, token: key, refuseIf } = want
  const whose = tenantOf(tagOf(want))
  const vm = { scope, group: scope.within ?? '', name: nameFor(want) }
  const end = tools.history.endOf(idOf(vm))
  if (end) return (await tools.finder.machine(vm, ctx)) ? { ...end, state: 'terminating' } : end
  const asked = { ...tools, want, vm, bodies: bodiesFor(want, vm, nobodysKey) }
  const before = await madeBefore(asked, ctx)
  if (before) return settle(asked, before, ctx)
  const both = async (send: Send) => {
    if (!(await makeInterface(send, asked))) return undefined
    return makeMachine(send, asked)
  }
  const outcome = await tools.arm.turn(
    { scope, action: 'Launch', key, whose, ...(refuseIf ? { refuseIf } : {}) },
    both,
    ctx,
  )
  return settle(asked, outcome ?? (await goOn(asked, ctx)), ctx)
}

/**
 * The outcome of an earlier call. Azure has no condition for the creation of an interface: a PUT changes any interface
 * of that name, also a stranger's. So none is made without a look, unless the name is new for certain.
 */
async function madeBefore(asked: Asked, ctx: Ctx): Promise<VirtualMachine | CloudError | undefined> {
  const { finder, history, vm, want } = asked
  const id = idOf(vm)
  const isNew = history.isNew(want.scope, id)
  history.asked(id)
  if (isNew || !(await finder.networkInterface(vm, ctx))) return undefined
  return goOn(asked, ctx)
}

/** The interface exists, so an earlier call got so far, or further. */
async function goOn(asked: Asked, ctx: Ctx): Promise<VirtualMachine | CloudError> {
  const { arm, finder, vm, want } = asked
  const machine = await finder.machine(vm, ctx)
  if (machine) return machine
  const nic = await finder.networkInterface(vm, ctx)
  if (nic && isAnothers(nic.tags ?? {}, tagOf(want))) throw notOurs(`Network interface ${nic.name}`)
  const whose = tenantOf(tagOf(want))
  const { scope, token: key, refuseIf } = want
  const turn = { scope, action: 'VirtualMachines_CreateOrUpdate', key, whose } as const
  return arm.turn({ ...turn, ...(refuseIf ? { refuseIf } : {}) }, (send) => makeMachine(send, asked), ctx)
}

/** Returns a refusal after which something has to be cleaned or looked up; throws all others. */
async function makeMachine(send: Send, { vm, bodies }: Asked): Promise<VirtualMachine | CloudError> {
  try {
    const answer = await send({
      action: 'VirtualMachines_CreateOrUpdate',
      path: machinePath(vm),
      headers: onlyNew,
      body: bodies.machine,
      secret: bodies.secret,
    })
    return resourceIn(answer, shapes.machine, 'ambiguous')
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    const { code, message } = thrown
    if (isUnseen(thrown, vm)) throw new CloudError('transient', { code, message })
    const refusal = refusalFrom(thrown)
    if (isDefinite(refusal.kind) || refusal.kind === 'conflict') return refusal
    throw refusal
  }
}

async function settle(asked: Asked, outcome: VirtualMachine | CloudError, ctx: Ctx): Promise<Instance> {
  if (!(outcome instanceof CloudError)) return take(asked, outcome)
  if (outcome.kind !== 'conflict') return clean(asked, outcome, ctx)
  const machine = await asked.finder.machine(asked.vm, ctx)
  if (!machine) throw outcome
  try {
    return take(asked, machine)
  } catch (thrown) {
    // A stranger's machine has the name. The interface that was made for ours blocks nothing, but it costs an address.
    await removeInterface(asked, ctx)
    throw thrown
  }
}

function take({ want, vm, history }: Asked, machine: VirtualMachine): Instance {
  if (isAnothers(machine.tags ?? {}, tagOf(want))) throw notOurs(`Virtual machine ${machine.name}`)
  const { scope } = want
  const before = history.of(scope, idOf(vm))
  const instance = toInstance({ machine, before, subscription: scope.account ?? '' })
  history.made(instance)
  return instance
}

/**
 * Removes the interface after a definite refusal. Azure may keep it for some minutes for the machine that could not be
 * made. Then the answer is a leftover with the refusal, and `terminate` removes it.
 */
async function clean(asked: Asked, refusal: CloudError, ctx: Ctx): Promise<Instance> {
  if (await removeInterface(asked, ctx)) throw refusal
  return leave(asked, refusal, ctx)
}

/** False: it is still there. */
async function removeInterface({ arm, want: { scope }, vm }: Asked, ctx: Ctx): Promise<boolean> {
  try {
    await arm.call({ scope, action: 'NetworkInterfaces_Delete', path: interfacePath(vm) }, ctx)
    return true
  } catch (thrown) {
    return isMissing(thrown)
  }
}

async function leave(asked: Asked, refusal: CloudError, ctx: Ctx): Promise<Instance> {
  const { want, vm, finder } = asked
  const { bought } = want.request as AzureRequest
  // An earlier call without an answer may have made the machine after all, and the interface is in use.
  const machine = await finder.machine(vm, ctx).catch(() => {
    const { code, message } = refusal
    throw new CloudError('ambiguous', { code, message, cause: refusal })
  })
  if (machine) return take(asked, machine)
  return {
    id: idOf(vm),
    name: vm.name,
    account: groupOfAccount(want.scope.account ?? '', vm.group),
    state: 'leftover',
    started: false,
    tag: tagOf(want),
    ...bought,
    addresses: [],
    failure: refusal,
  }
}

/** One part of Azure does not see the interface that another part has just made. */
function isUnseen({ code, message }: CloudError, { name }: VmAddress): boolean {
  return unseen.has(code) && message.includes(`${name}-nic`)
}

const unseen = new Set(['InvalidResourceReference', 'ResourceNotFound', 'NotFound'])

/**
 * With the names of our fields. Azure will not find a missing part of the request by being asked again, so 'missing'
 * becomes 'invalid'.
 */
function refusalFrom(error: CloudError): CloudError {
  const { kind, code, message } = error
  return withFields(kind === 'missing' ? new CloudError('invalid', { code, message, cause: error }) : error)
}

/** False: an interface of this name exists already. */
async function makeInterface(send: Send, { vm, bodies }: Asked): Promise<boolean> {
  try {
    const answer = await send({
      action: 'NetworkInterfaces_CreateOrUpdate',
      path: interfacePath(vm),
      body: bodies.interface,
    })
    resourceIn(answer, shapes.interface, 'ambiguous')
    return answer.status === 201
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    if (thrown.kind === 'conflict') return false
    throw refusalFrom(thrown)
  }
}
