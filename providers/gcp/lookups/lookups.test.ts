import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openGcpProject, type GcpProject } from '../../../test/support/clouds/gcp-project.ts'
import { Gce } from '../wire/client.ts'
import { Lookups } from './lookups.ts'

let project: GcpProject
let lookups: Lookups
beforeEach(async () => {
  project = await openGcpProject()
  lookups = new Lookups(new Gce())
})
afterEach(() => project[Symbol.asyncDispose]())

describe('what is looked up', () => {
  it('is asked for once for all, by one call for a type’s facts and its zones', async () => {
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        expect(await lookups.zonesOffering('t2a-standard-2', project.scope, project.ctx())).toEqual([
          'us-central1-a',
          'us-central1-b',
          'us-central1-f',
        ])
        expect(await lookups.machineType('t2a-standard-2', project.scope, project.ctx())).toEqual({
          architecture: 'arm64',
          cpus: 2,
          memoryMiB: 8192,
          accelerators: [],
        })
        expect(await lookups.zones(project.scope, project.ctx())).toHaveLength(4)
      }),
    )
    expect(project.calls()).toEqual({ 'machineTypes.aggregatedList': 1, 'regions.get': 1 })
  })

  it('is of the region, and asked for anew for another', async () => {
    const elsewhere = { ...project.scope, region: 'us-east1' }
    expect(await lookups.zonesOffering('g2-standard-4', project.scope, project.ctx())).toEqual([
      'us-central1-a',
      'us-central1-b',
      'us-central1-c',
    ])
    expect(await lookups.zonesOffering('g2-standard-4', elsewhere, project.ctx())).toEqual(['us-east1-b', 'us-east1-c'])
    expect(await lookups.machineType('g2-standard-24', project.scope, project.ctx())).toMatchObject({
      accelerators: [{ type: 'nvidia-l4', count: 2 }],
    })
  })

  it('says of which types GCE moves no instance: by their names, and by the accelerators that it shows', async () => {
    const stays = (name: string) => lookups.staysOnItsHost(name, project.scope, project.ctx())
    expect(await stays('h4d-standard-192')).toBe(true)
    expect(await stays('n2-custom-4-8192')).toBe(false)
    expect(project.calls()).toEqual({})
    expect(await stays('e2-standard-4')).toBe(false)
    expect(project.calls()).toEqual({ 'machineTypes.aggregatedList': 1 })
  })

  it('is not needed for a launch: who may not list types is told that nothing is known', async () => {
    project.simulator.control.failNext('machineTypes.aggregatedList', 1, { code: 'forbidden', message: 'No.' })
    expect(await lookups.staysOnItsHost('e2-standard-2', project.scope, project.ctx())).toBe(false)
  })

  it('and is not there is asked for again after half a minute', async () => {
    expect(await lookups.machineType('e9-standard-2', project.scope, project.ctx())).toBeUndefined()
    expect(await lookups.zonesOffering('e9-standard-2', project.scope, project.ctx())).toEqual([])
    expect(project.calls()).toEqual({ 'machineTypes.aggregatedList': 1 })
    await project.clock.advance(31_000)
    await lookups.machineType('e9-standard-2', project.scope, project.ctx())
    expect(project.calls()).toEqual({ 'machineTypes.aggregatedList': 2 })
  })

  it('of a custom type stands in its name', async () => {
    expect(await lookups.machineType('n2-custom-6-20480-ext', project.scope, project.ctx())).toEqual({
      architecture: 'amd64',
      cpus: 6,
      memoryMiB: 20_480,
      accelerators: [],
    })
    expect(await lookups.zonesOffering('custom-4-8192', project.scope, project.ctx())).toEqual([])
    expect(project.calls()).toEqual({})
  })

  it('and may not be asked for holds up no launch', async () => {
    project.simulator.control.failNext('machineTypes.aggregatedList', 1, { code: 'forbidden', message: 'No.' })
    expect(await lookups.zonesOffering('e2-standard-4', project.scope, project.ctx())).toEqual([])
    project.simulator.control.failNext('machineTypes.aggregatedList', 1, { code: 'backendError', message: 'No.' })
    await expect(lookups.zonesOffering('e2-standard-4', project.scope, project.ctx())).rejects.toMatchObject({
      kind: 'ambiguous',
    })
  })
})
