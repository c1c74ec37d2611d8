/** Our calls, by the names in Azure's specification. */
export const actions = {
  VirtualMachines_CreateOrUpdate: { method: 'put', version: '2026-04-01' },
  VirtualMachines_Get: { method: 'get', version: '2026-04-01' },
  VirtualMachines_Delete: { method: 'delete', version: '2026-04-01' },
  VirtualMachines_ListAll: { method: 'get', version: '2026-04-01' },
  VirtualMachineExtensions_CreateOrUpdate: { method: 'put', version: '2026-04-01' },
  VirtualMachineExtensions_List: { method: 'get', version: '2026-04-01' },
  NetworkInterfaces_CreateOrUpdate: { method: 'put', version: '2026-01-01' },
  NetworkInterfaces_Get: { method: 'get', version: '2026-01-01' },
  NetworkInterfaces_Delete: { method: 'delete', version: '2026-01-01' },
  NetworkInterfaces_ListAll: { method: 'get', version: '2026-01-01' },
  Disks_List: { method: 'get', version: '2026-03-02' },
  Disks_ListByResourceGroup: { method: 'get', version: '2026-03-02' },
  Disks_Delete: { method: 'delete', version: '2026-03-02' },
  ResourceSkus_List: { method: 'get', version: '2021-07-01' },
} as const satisfies Readonly<Record<string, { method: 'get' | 'put' | 'delete'; version: string }>>

export type ArmAction = keyof typeof actions
