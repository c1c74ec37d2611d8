import { describe, expect, test } from 'vitest'
import { azureCluster, azureClusterCases } from './cases/azure-cluster-cases.ts'
import { azureFull, azureMachine, azureMachineCases, azureOthers } from './cases/azure-machine-cases.ts'
import type { Case } from './cases/crd-cases.ts'
import { create, onTheApiserver, patch, rulesWithoutCase, specFields, tryCases } from './rigs/crd-trial.ts'
import { gcpCluster, gcpClusterCases } from './cases/gcp-cluster-cases.ts'
import { gcpFull, gcpMachine, gcpMachineCases, gcpOthers } from './cases/gcp-machine-cases.ts'
import { ibmCluster, ibmClusterCases } from './cases/ibm-cluster-cases.ts'
import { ibmFull, ibmMachine, ibmMachineCases, ibmOthers } from './cases/ibm-machine-cases.ts'

interface Kinds {
  readonly prefix: string
  readonly machine: object
  readonly machineCases: readonly Case[]
  readonly cluster: object
  readonly clusterCases: readonly Case[]
  /** Another value for each field of a complete machine, if the cases do not try it. */
  readonly full?: object
  readonly others?: Readonly<Record<string, unknown>>
  /** Immutable fields of a cluster: a good value and another. */
  readonly fixed: Readonly<Record<string, readonly [string, string]>>
}

const subscriptions = ['5be0c1a0-0000-4000-8000-000000000001', '5be0c1a0-0000-4000-8000-000000000002'] as const

const clouds: readonly Kinds[] = [
  {
    prefix: 'Azure',
    machine: azureMachine,
    machineCases: azureMachineCases,
    cluster: azureCluster,
    clusterCases: azureClusterCases,
    full: azureFull,
    others: azureOthers,
    fixed: {
      location: ['westeurope', 'northeurope'],
      resourceGroup: ['workers', 'others'],
      subscriptionID: subscriptions,
    },
  },
  {
    prefix: 'GCP',
    machine: gcpMachine,
    machineCases: gcpMachineCases,
    cluster: gcpCluster,
    clusterCases: gcpClusterCases,
    full: gcpFull,
    others: gcpOthers,
    fixed: { region: ['europe-west1', 'europe-west4'], project: ['my-project', 'my-other-project'] },
  },
  {
    prefix: 'IBM',
    machine: ibmMachine,
    machineCases: ibmMachineCases,
    cluster: ibmCluster,
    clusterCases: ibmClusterCases,
    full: ibmFull,
    others: ibmOthers,
    fixed: { region: ['us-south', 'eu-de'] },
  },
]

onTheApiserver()

describe.each(clouds)('$prefix', ({ prefix, machine, machineCases, cluster, clusterCases, ...more }) => {
  const { full = machine, others = {}, fixed } = more
  const templateOf = (base: object) => (spec: object) => ({ template: { spec: { ...base, ...spec } } })

  describe('Machine', () => {
    tryCases(`${prefix}Machine`, machineCases, (spec) => ({ ...machine, ...spec }))
  })
  describe('MachineTemplate', () => {
    tryCases(`${prefix}MachineTemplate`, machineCases, templateOf(machine), 'spec.template.spec')
  })
  describe('Cluster', () => {
    tryCases(`${prefix}Cluster`, clusterCases, (spec) => ({ ...cluster, ...spec }))
  })
  describe('ClusterTemplate', () => {
    tryCases(`${prefix}ClusterTemplate`, clusterCases, templateOf(cluster), 'spec.template.spec')
  })

  test.each(specFields(`${prefix}Machine`).filter((field) => field in others))('%s cannot change', async (field) => {
    const name = await create(`${prefix}Machine`, full)
    const changed = patch(`${prefix}Machine`, name, { patch: { spec: { [field]: others[field] } } })
    await expect(changed).rejects.toThrow('this field cannot change after launch')
  })

  test('providerID cannot be removed, with or without its spec', async () => {
    const fixedWords = 'spec.providerID: Invalid value: providerID identifies the'
    const bad = create(`${prefix}Machine`, { ...machine, providerID: 'i-0123' })
    await expect(bad).rejects.toThrow('spec.providerID in body should match')
    const good = providerIDs[prefix] ?? ''
    const name = await create(`${prefix}Machine`, { ...machine, providerID: good })
    const set = (providerID: string | null) => patch(`${prefix}Machine`, name, { patch: { spec: { providerID } } })
    await expect(set(`${good}1`)).rejects.toThrow(fixedWords)
    await expect(set(null)).rejects.toThrow(fixedWords)
  })

  test.each(Object.entries(fixed))('%s of a cluster cannot change', async (field, [value, other]) => {
    const name = await create(`${prefix}Cluster`, { ...cluster, [field]: value })
    const changed = patch(`${prefix}Cluster`, name, { patch: { spec: { [field]: other } } })
    await expect(changed).rejects.toThrow(`${field} cannot change`)
  })

  test('every rule has a case', () => {
    const bySelf = [
      'metadata.name must',
      'this field cannot change after launch',
      'providerID identifies the',
      ...Object.keys(fixed).map((field) => `${field} cannot change`),
    ]
    expect(rulesWithoutCase(prefix, [...machineCases, ...clusterCases], bySelf)).toEqual([])
  })
})

const providerIDs: Readonly<Record<string, string>> = {
  Azure:
    'azure:///subscriptions/5be0c1a0-0000-4000-8000-000000000001/resourceGroups/workers/providers/Microsoft.Compute/virtualMachines/m',
  GCP: 'gce://my-project/europe-west1-b/m',
  IBM: 'ibm://0123456789abcdef0123456789abcdef///c1/0717_0a0b0c0d-0000-4000-8000-000000000001',
}
