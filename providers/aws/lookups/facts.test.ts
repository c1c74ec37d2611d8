import { describe, expect, it } from 'vitest'
import { imageFacts, typeFacts } from './facts.ts'

describe('devices', () => {
  it.each([
    ['NVIDIA’s GPUs', { GpuInfo: { Gpus: [{ Manufacturer: 'NVIDIA', Count: 4 }] } }, { 'nvidia.com/gpu': 4 }],
    ['AMD’s', { GpuInfo: { Gpus: [{ Manufacturer: 'AMD', Count: 1 }] } }, { 'amd.com/gpu': 1 }],
    [
      'several of one maker',
      { GpuInfo: { Gpus: [1, 2].map((Count) => ({ Manufacturer: 'NVIDIA', Count })) } },
      { 'nvidia.com/gpu': 3 },
    ],
    [
      'a part of one',
      { GpuInfo: { Gpus: [{ Manufacturer: 'NVIDIA', Count: 0, LogicalGpuCount: 1 }] } },
      { 'nvidia.com/gpu': 1 },
    ],
    ['AWS’s own', { NeuronInfo: { NeuronDevices: [{ Count: 6 }] } }, { 'aws.amazon.com/neuron': 6 }],
    ['a maker’s that nobody asks for', { GpuInfo: { Gpus: [{ Manufacturer: 'Other', Count: 1 }] } }, {}],
    ['none', {}, {}],
  ])('%s', (_, info, devices) => {
    expect(typeFacts(info).devices).toEqual(devices)
  })
})

describe('the processor', () => {
  it.each([
    [['i386', 'x86_64'], 'x86_64'],
    [['arm64'], 'arm64'],
  ] as const)('of %o is %s', (SupportedArchitectures, architecture) => {
    expect(typeFacts({ ProcessorInfo: { SupportedArchitectures: [...SupportedArchitectures] } })).toMatchObject({
      architecture,
    })
  })
})

it('only images of Windows say their platform', () => {
  expect(imageFacts({ Platform: 'Windows' }).isWindows).toBe(true)
  expect(imageFacts({}).isWindows).toBe(false)
})
