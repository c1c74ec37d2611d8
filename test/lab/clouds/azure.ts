import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startAzureSimulator } from '../../simulators/azure/simulator.ts'
import { azureStrangers } from '../strangers/azure.ts'
import { boughtBy, listed, type LabCloud, type LabCloudOptions } from './cloud.ts'

export async function startAzure({ ctx, nodes, folder, delays }: LabCloudOptions): Promise<LabCloud> {
  const simulator = await startAzureSimulator({ ...delays, ...ctx, nodes })
  const { url, facts, control } = simulator
  // Azure's clients get tokens over HTTPS only.
  const certificate = path.join(folder, 'azure-authority.pem')
  await writeFile(certificate, facts.authorityCertificate)
  // Azure keeps the interface of a failed launch for three minutes, longer than a test waits.
  control.holdInterfaces(0)
  const remains = () => listed(control.remains())
  const createAction = 'VirtualMachines_CreateOrUpdate'
  return {
    name: 'azure',
    prefix: 'Azure',
    url,
    control,
    environment: {
      AZURE_RESOURCE_MANAGER_ENDPOINT: url,
      AZURE_AUTHORITY_HOST: facts.authority,
      AZURE_TENANT_ID: facts.tenant,
      AZURE_CLIENT_ID: 'lab',
      AZURE_CLIENT_SECRET: 'secret-canary',
      NODE_EXTRA_CA_CERTS: certificate,
    },
    values: {
      AZURE_SUBSCRIPTION_ID: facts.subscription,
      AZURE_RESOURCE_GROUP: facts.resourceGroup,
      AZURE_LOCATION: facts.location,
      AZURE_VNET_NAME: facts.vnet,
      AZURE_SUBNET_NAME: facts.subnet.split('/').at(-1) ?? '',
      AZURE_IMAGE_ID: facts.image,
    },
    // Issued tokens stay valid, as in Azure.
    denyUs() {
      control.acceptKeys({ others: 'not-ours' })
      return () => control.acceptKeys(undefined)
    },
    takenBack: /PowerState\/deallocat(ing|ed)/,
    types: { usual: 'Standard_D2s_v5', other: 'Standard_D2as_v5', field: 'vmSizes' },
    createAction,
    endAction: 'VirtualMachines_Delete',
    cleanUpAction: 'NetworkInterfaces_Delete',
    isList: ({ action }) => action === 'VirtualMachines_ListAll',
    refuseLater: () => control.failNextLaunch('AllocationFailed'),
    limited: (are) => control.buckets(are ? 'real' : 'none'),
    // The vmId is not in every list, so our handle is made of the name.
    alive: () => control.instances().map(({ name, state }) => ({ id: name, name, state })),
    bought: () => boughtBy({ control, createAction }, 'name'),
    remains,
    leftovers: () => remains().length,
    strangers: azureStrangers(simulator),
    close: () => simulator.close(),
  }
}
