import type { Case } from './crd-cases.ts'

/**
 * The differences between our templates and those of the clouds' own providers, and the fields that we refuse with a
 * remedy.
 */

/** A field of a spec that exists only to be refused. */
function refused(field: string, value: unknown): Case {
  return {
    because: `${field} is refused with a remedy`,
    spec: { [field]: value },
    says: `spec.${field}: Invalid value: ${field} is not supported`,
  }
}

export const awsUpstream: Case[] = [
  { because: 'an empty price means none', spec: { spotMarketOptions: { maxPrice: '' } } },
  { because: 'an address of IPv6', spec: { assignPrimaryIPv6: 'enabled' } },
  {
    because: 'a name after the id',
    spec: {
      privateDnsName: {
        hostnameType: 'resource-name',
        enableResourceNameDnsARecord: true,
        enableResourceNameDnsAAAARecord: true,
      },
    },
  },
  { because: 'a name that says nothing', spec: { privateDnsName: {} }, says: 'should have at least 1 properties' },
  refused('ignition', { version: '3.4' }),
  refused('hostID', 'h-0123456789abcdef0'),
  refused('hostAffinity', 'host'),
  refused('dynamicHostAllocation', { tags: { a: 'b' } }),
  refused('securityGroupOverrides', { node: 'sg-1' }),
  refused('elasticIpPool', { publicIpv4Pool: 'amazon' }),
  refused(
    'networkInterfaces',
    ['eni-1'].map((id) => ({ id })),
  ),
  ...Object.entries({ secureSecretsBackend: 'ssm-parameter-store', secretPrefix: 'p', secretCount: 1 }).map(
    ([field, value]) => ({
      because: `cloudInit.${field} is refused with a remedy`,
      spec: { cloudInit: { [field]: value } },
      says: `spec.cloudInit.${field}: Invalid value: cloudInit.${field} is not supported`,
    }),
  ),
]

const plan = { publisher: 'p', offer: 'o', sku: 's' }
const extension = { name: 'CustomScript', publisher: 'Microsoft.Azure.Extensions', version: '2.1' }
const ofGallery = { gallery: 'g', name: 'n', version: 'latest' }

export const azureUpstream: Case[] = [
  ...['', -1, 1000].map((maxPrice) => ({
    because: `the price ${JSON.stringify(maxPrice)}`,
    spec: { spotVMOptions: { maxPrice } },
  })),
  {
    because: 'extensions',
    spec: { vmExtensions: [{ ...extension, protectedSettings: { commandToExecute: 'true' } }] },
  },
  {
    because: 'an extension twice',
    spec: { vmExtensions: [extension, extension] },
    says: 'spec.vmExtensions[1]: Duplicate value',
  },
  { because: 'a plan by its offer and sku', spec: { image: { computeGallery: { ...ofGallery, plan } } } },
  {
    because: 'a disk that only the machine can read',
    spec: { osDisk: { managedDisk: { securityProfile: { securityEncryptionType: 'VMGuestStateOnly' } } } },
    says: 'managedDisk.securityProfile is not supported',
  },
  {
    because: 'a machine that its host cannot look into',
    spec: { securityProfile: { securityType: 'ConfidentialVM' } },
    says: 'securityType can only be TrustedLaunch',
  },
  {
    because: 'a storage account of the user',
    spec: { diagnostics: { boot: { storageAccountType: 'Managed', userManaged: { storageAccountURI: 'https://x' } } } },
    says: 'diagnostics.boot.userManaged is not supported',
  },
  {
    because: 'a gallery in the older way',
    spec: { image: { sharedGallery: { gallery: 'g', name: 'n', version: '1.0.0' } } },
    says: 'image.sharedGallery is not supported',
  },
  refused('additionalCapabilities', { ultraSSDEnabled: true }),
  refused('systemAssignedIdentityRole', { scope: '/subscriptions/s' }),
  refused('virtualMachineScaleSetID', '/subscriptions/s'),
  refused('disableVMBootstrapExtension', true),
]

export const gcpUpstream: Case[] = [refused('resourceManagerTags', [{ parentID: '1', key: 'k', value: 'v' }])]

export const ibmUpstream: Case[] = [
  { because: 'the zone on the machine itself', spec: { zone: 'us-south-1' } },
  { because: 'a zone that is none', spec: { zone: 'Dallas 1' }, says: 'spec.zone in body should match' },
  refused('loadBalancerPoolMembers', [{ port: 6443 }]),
  refused('additionalVolumes', [{ name: 'v' }]),
  refused('catalogOffering', { offeringCRN: 'crn:v1' }),
]
