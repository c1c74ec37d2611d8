import { describe, expect, it } from 'vitest'
import { FakeLookups, flex, scope } from '../../../test/support/clouds/ibm-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import { nodeSizeOf } from './node-size.ts'
import { profileFacts } from './facts.ts'

const image = { id: 'r006-w', isPrivate: true, architecture: 'amd64', created: '', usable: 'everywhere' } as const
const lookups = new FakeLookups()
lookups.profiles = [
  flex,
  { ...flex, name: 'gx3-48x240x2l40s', cpus: 48, memoryGiB: 240, devices: { 'nvidia.com/gpu': 2 } },
  { ...flex, name: 'bz2-2x8', architecture: 's390x' },
]
lookups.images = [{ ...image, isWindows: true }]

function capacity(over: Partial<IBMMachineSpec>) {
  return nodeSizeOf({ profile: 'bxf-2x8', image: { id: 'r006-l' }, ...over }, lookups, scope, quietCtx())
}

describe('what a Node offers', () => {
  it('is what IBM says of the profile, GPUs too, and the disk that the spec asks for', async () => {
    expect(await capacity({})).toEqual({
      capacity: { cpu: '2', memory: '8Gi' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    })
    expect(await capacity({ profile: 'gx3-48x240x2l40s', bootVolume: { sizeGiB: 200 } })).toMatchObject({
      capacity: { cpu: '48', memory: '240Gi', 'nvidia.com/gpu': '2', 'ephemeral-storage': '200Gi' },
    })
  })

  it('is Windows where the image is, by its id or by its name', async () => {
    for (const named of [{ id: 'r006-w' }, { name: 'windows' }]) {
      expect((await capacity({ image: named })).nodeInfo.operatingSystem).toBe('windows')
    }
  })

  it('cannot be said of what is not there, nor of another architecture', async () => {
    await expect(capacity({ profile: 'zz9-1x1' })).rejects.toThrow(
      'spec.profile of the IBMMachine: IBM Cloud has no profile zz9-1x1 in us-south; use another.',
    )
    await expect(capacity({ profile: 'bz2-2x8' })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('numbers of a profile', () => {
  const wire = { name: 'p', memory: { type: 'fixed', value: 8 }, vcpu_architecture: { value: 'amd64' } }

  it.each([
    [{ type: 'fixed', value: 4 }, 4],
    [{ type: 'enum', default: 4, values: [2, 4] }, 4],
    [{ type: 'range', min: 2, max: 8, default: 4 }, 4],
    [{ type: 'range', min: 2, max: 8 }, 2],
    [{ type: 'dependent' }, 0],
  ])('%j is %d', (vcpu_count, cpus) => {
    expect(profileFacts({ ...wire, vcpu_count }).cpus).toBe(cpus)
  })

  it.each([
    ['NVIDIA', { 'nvidia.com/gpu': 2 }],
    ['amd', { 'amd.com/gpu': 2 }],
    ['intel', { 'habana.ai/gaudi': 2 }],
    ['somebody', {}],
  ])('devices of %s are %j', (maker, devices) => {
    const profile = { ...wire, vcpu_count: { type: 'fixed', value: 1 }, gpu_count: { type: 'fixed', value: 2 } }
    expect(profileFacts({ ...profile, gpu_manufacturer: { values: [maker] } }).devices).toEqual(devices)
  })
})
