import { describe, expect, it } from 'vitest'
import { FakeLookups, scope } from '../../../test/support/clouds/aws-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import { nodeSizeOf } from './node-size.ts'

const lookups = new FakeLookups()
lookups.types = {
  'g5.12xlarge': { cpus: 48, memoryMiB: 196_608, devices: { 'nvidia.com/gpu': 4 } },
  'm7g.large': { architecture: 'arm64' },
}
lookups.images = [{ id: 'ami-w', isWindows: true }]

function capacity(spec: AWSMachineSpec) {
  return nodeSizeOf(spec, lookups, scope, quietCtx())
}

describe('what a Node offers', () => {
  it('is what EC2 says of the type, devices too, and the disk that the spec asks for', async () => {
    expect(await capacity({ instanceType: 'g5.12xlarge', rootVolume: { size: 200 } })).toEqual({
      capacity: { cpu: '48', memory: '196608Mi', 'nvidia.com/gpu': '4', 'ephemeral-storage': '200Gi' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    })
  })

  it('has the processor of the type and the system of the image', async () => {
    const { nodeInfo } = await capacity({ instanceType: 'm7g.large', ami: { id: 'ami-w' } })
    expect(nodeInfo).toEqual({ architecture: 'arm64', operatingSystem: 'windows' })
  })

  it('of a type that is not there is an invalid configuration', async () => {
    await expect(capacity({ instanceType: 'm9.huge' })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'spec.instanceType of the AWSMachine: EC2 has no type m9.huge in us-east-1; use another.',
    })
  })
})
