import { expect, it } from 'vitest'
import { nothingLeft, refTo, startAzureRig, type AzureRig } from '../../../test/support/clouds/azure-rig.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Launch } from '../../instances.ts'
import { Extensions } from './extensions.ts'

const publisher = 'Microsoft.Azure.Extensions'
const script = (commandToExecute: string) => ({
  name: 'CustomScript',
  publisher,
  version: '2.1',
  protectedSettings: { commandToExecute },
})
const login = { name: 'AADSSHLoginForLinux', publisher: 'Microsoft.Azure.ActiveDirectory', version: '1.0' }
const put = 'VirtualMachineExtensions_CreateOrUpdate'

async function running(): Promise<{ all: AzureRig; want: Launch }> {
  const all = await startAzureRig()
  const want = all.launch()
  await all.instances.create(want, all.ctx)
  await all.settle()
  return { all, want }
}

/** As the machine controller does it, until it is done. */
async function installed(all: AzureRig, want: Launch, wanted: Parameters<Extensions['install']>[0]): Promise<number> {
  const extensions = new Extensions(all.arm)
  for (let asked = 1; asked < 20; asked++) {
    if ((await extensions.install(wanted, refTo(want), all.ctx)) === 'done') return asked
    await all.clock.advance(2_000)
  }
  throw new Error('It is never done.')
}

const puts = (all: AzureRig) => all.actions().filter((action) => action === put)

it('installs one after the other, and none twice, whoever asks', async () => {
  const { all, want } = await running()
  await installed(all, want, [script('true'), login])
  expect(puts(all)).toHaveLength(2)
  await installed(all, want, [script('true'), login])
  expect(puts(all)).toHaveLength(2)
})

it('asks Azure nothing for a machine that has all of its own, nor for one that wants none', async () => {
  const { all, want } = await running()
  const extensions = new Extensions(all.arm)
  expect(await extensions.install([], refTo(want), all.ctx)).toBe('done')
  await extensions.install([login], refTo(want), all.ctx)
  await all.clock.advance(2_000)
  expect(await extensions.install([login], refTo(want), all.ctx)).toBe('done')
  const asked = all.actions().length
  expect(await extensions.install([login], refTo(want), all.ctx)).toBe('done')
  expect(all.actions()).toHaveLength(asked)
})

it('leaves nothing behind: they end with the machine', async () => {
  const { all, want } = await running()
  await installed(all, want, [login])
  await all.remove(want)
  expect(all.control.remains()).toEqual(nothingLeft)
})

it.each([
  ['one that nobody publishes', { ...script('secret-canary'), publisher: 'Nobody' }, 'ArtifactNotFound'],
  ['one that failed on the machine', script('exit 1 # secret-canary'), 'VMExtensionProvisioningError'],
])('refuses %s, with the field and without its protected settings', async (_, wanted, code) => {
  const { all, want } = await running()
  const thrown = (await installed(all, want, [wanted]).catch((error: unknown) => error)) as CloudError
  expect(thrown).toMatchObject({ kind: 'invalid', code })
  expect(thrown.message).toMatch(/^spec\.vmExtensions of the AzureMachine: extension CustomScript is not installed/)
  expect(thrown.message).not.toContain('canary')
})

it('does not touch the machine of another attempt', async () => {
  const { all, want } = await running()
  const { id } = await all.instances.create(want, all.ctx)
  const other = { ...refTo(all.launch({ token: 'tokennumber2' })), id, name: refTo(want).name ?? '' }
  const before = all.actions().length
  await expect(new Extensions(all.arm).install([login], other, all.ctx)).rejects.toMatchObject({ kind: 'conflict' })
  expect(all.actions()).toHaveLength(before)
})
