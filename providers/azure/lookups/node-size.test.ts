import { describe, expect, it } from 'vitest'
import { startAzureRig } from '../../../test/support/clouds/azure-rig.ts'
import { nodeSizeOf } from './node-size.ts'
import { Lookups } from './lookups.ts'

describe('what a Node would offer', () => {
  it('is one question for all sizes', async () => {
    const { arm, launch, ctx, calls } = await startAzureRig()
    const lookups = new Lookups(arm)
    const { scope } = launch()
    const offers = (vmSize: string, osDisk = {}) => nodeSizeOf({ vmSize, osDisk }, lookups, scope, ctx)
    expect(await offers('Standard_D2s_v5')).toEqual({
      capacity: { cpu: '2', memory: '8192Mi' },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    })
    expect(await offers('standard_nc64as_t4_v3', { diskSizeGB: 200 })).toMatchObject({
      capacity: { cpu: '64', memory: '450560Mi', 'nvidia.com/gpu': '4', 'ephemeral-storage': '200Gi' },
    })
    expect((await offers('Standard_D2ps_v5')).nodeInfo.architecture).toBe('arm64')
    await expect(offers('Standard_Z1')).rejects.toMatchObject({
      kind: 'invalid',
      message: 'spec.vmSize of the AzureMachine: Azure has no size Standard_Z1 in westus2; use another.',
    })
    expect(new Set(calls.map(({ action }) => action))).toEqual(new Set(['ResourceSkus_List']))
    expect(calls).toHaveLength(4)
  })
})
