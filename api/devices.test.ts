import { expect, it } from 'vitest'
import { countDevices, gpuResource } from './devices.ts'

it('knows the resource of a maker in any spelling, and none of other makers', () => {
  expect(['NVIDIA', 'amd', 'Intel', 'Xilinx', ''].map(gpuResource)).toEqual([
    'nvidia.com/gpu',
    'amd.com/gpu',
    'habana.ai/gaudi',
    undefined,
    undefined,
  ])
})

it('adds up what is of one resource, and leaves out what no pod can ask for', () => {
  const gpus = { resource: 'nvidia.com/gpu', count: 2 }
  const others = [
    { resource: undefined, count: 3 },
    { resource: 'amd.com/gpu', count: 0 },
  ]
  expect(countDevices([gpus, gpus, ...others])).toEqual({ 'nvidia.com/gpu': 4 })
})
