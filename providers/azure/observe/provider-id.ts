import type { Instance } from '../../../api/instance.ts'

/** As the Azure cloud provider writes it to the Node: the resource group in small letters. */
export function providerIDOf({ account = '', name = '' }: Instance): string {
  return `azure://${account}/providers/Microsoft.Compute/virtualMachines/${name}`
}

/** The part of an account that a providerID names. */
export function groupOfAccount(subscription: string, group: string): string {
  return `/subscriptions/${subscription}/resourceGroups/${group.toLowerCase()}`
}
