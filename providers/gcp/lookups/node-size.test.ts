import { describe, expect, it } from 'vitest'
import { FakeLookups, scope } from '../../../test/support/clouds/gcp-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { nodeSizeOf } from './node-size.ts'
import { customTypeFacts } from './facts.ts'

const lookups = new FakeLookups()
lookups.types = {
  'e2-standard-4': {},
  't2a-standard-2': { architecture: 'arm64', cpus: 2, memoryMiB: 8_192 },
  'g2-standard-24': { cpus: 24, memoryMiB: 98_304, accelerators: [{ type: 'nvidia-l4', count: 2 }] },
}
const capacity = (spec: Parameters<typeof nodeSizeOf>[0]) => nodeSizeOf(spec, lookups, scope, quietCtx())

describe('what a Node offers', () => {
  it('is what the type has, and the disk where its size is said', async () => {
    expect(await capacity({ instanceType: 'e2-standard-4', rootDeviceSize: 100 })).toEqual({
      capacity: { cpu: '4', memory: '16384Mi', 'ephemeral-storage': '100Gi' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    })
    expect(await capacity({ instanceType: 't2a-standard-2' })).toEqual({
      capacity: { cpu: '2', memory: '8192Mi' },
      nodeInfo: { architecture: 'arm64', operatingSystem: 'linux' },
    })
  })

  it('counts accelerators of the type and of the machine alike, by what pods ask for', async () => {
    const guestAccelerators = [
      { type: 'projects/p/zones/z/acceleratorTypes/nvidia-tesla-t4', count: 1 },
      { type: 'ct5lp', count: 4 },
      { type: 'something-new', count: 1 },
    ]
    const { capacity: offered } = await capacity({ instanceType: 'g2-standard-24', guestAccelerators })
    expect(offered).toMatchObject({ 'nvidia.com/gpu': '3', 'google.com/tpu': '4' })
    expect(Object.keys(offered)).toHaveLength(4)
  })

  it('of a custom type is what its name says', () => {
    expect(customTypeFacts('n2-custom-4-8192')).toMatchObject({ architecture: 'amd64', cpus: 4, memoryMiB: 8_192 })
    expect(customTypeFacts('custom-6-23040-ext')).toMatchObject({ architecture: 'amd64', cpus: 6, memoryMiB: 23_040 })
    expect(customTypeFacts('e2-custom-micro-1024')).toMatchObject({ cpus: 2, memoryMiB: 1_024 })
    expect(customTypeFacts('e2-custom-medium-4096')).toMatchObject({ cpus: 2, memoryMiB: 4_096 })
    expect(customTypeFacts('n4a-custom-8-32768')).toMatchObject({ architecture: 'arm64', cpus: 8 })
    for (const name of ['e2-medium', 'e2-custom-large-4096', 'n2-custom-0-8192', 'n2-custom-4']) {
      expect(customTypeFacts(name)).toBeUndefined()
    }
  })

  it('of a type that is not there is invalid, with the field', async () => {
    await expect(capacity({ instanceType: 'e9-standard-4' })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'spec.instanceType of the GCPMachine: GCE has no type e9-standard-4 in europe-west1; use another.',
    })
  })
})
