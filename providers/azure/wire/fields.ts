import type { CloudError } from '../../../api/cloud-error.ts'
import { bootstrapData, failureDomain, fieldsOf, naming, ofSpecs } from '../../shared/fields.ts'

const machine = fieldsOf('AzureMachine')
const cluster = fieldsOf('AzureCluster')
const image = machine('image')
const network = `${machine('networkInterfaces', 'subnetName')}, ${cluster('networkSpec')}`
const tags = `${machine('additionalTags')}, ${cluster('additionalTags')}`
const maxPrice = machine('spotVMOptions.maxPrice')

/** By Azure's code, for codes that can only mean these fields. */
const byCode: Readonly<Record<string, string>> = {
  AmbiguousTagKeys: tags,
  InvalidTagName: tags,
  InvalidTagNameCharacters: tags,
  InvalidTagsCount: tags,
  InvalidTagValue: tags,
  AzureSpotIsNotSupportedForThisVMSize: machine('vmSize', 'spotVMOptions'),
  EvictionPolicyCanBeSetOnlyOnAzureSpotVirtualMachines: machine('spotVMOptions.evictionPolicy'),
  MaxPriceIsSupportedOnlyForAzureSpotVirtualMachines: maxPrice,
  MaxPriceValueInvalid: maxPrice,
  SpotPriceGreaterThanProvidedMaxPrice: maxPrice,
  VMPriorityCannotBeApplied: machine('spotVMOptions'),
  GalleryImageNotFound: image,
  ImageNotFound: image,
  InvalidImageReference: image,
  PlatformImageNotFound: image,
  VMMarketplaceInvalidInput: image,
  InvalidAvailabilityZone: failureDomain,
  InvalidIdentityValues: machine('userAssignedIdentities'),
  FailedIdentityOperation: machine('userAssignedIdentities'),
  LocationNotAvailableForResourceType: cluster('location'),
  LocationRequired: cluster('location'),
  ResourceGroupNotFound: cluster('resourceGroup'),
  VMSizeIsNotPermittedToEnableAcceleratedNetworking: machine('networkInterfaces', 'acceleratedNetworking', 'vmSize'),
}

/** By the words of Azure's message, the first row that fits: most codes say only that something is wrong. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/custom ?data/i, bootstrapData],
  [/architecture/i, machine('vmSize', 'image')],
  [/capacity ?reservation/i, machine('capacityReservationGroupID')],
  [/disk ?encryption ?set/i, machine('osDisk', 'dataDisks')],
  [
    /encryption ?at ?host|trusted ?launch|secure ?boot|vtpm|security ?(type|profile)|generation/i,
    machine('securityProfile'),
  ],
  [/data ?disks?\b|\blun\b/i, machine('dataDisks')],
  [/\b(os ?disk|ephemeral|disk size)\b/i, machine('osDisk')],
  [/storage ?account ?type/i, machine('osDisk', 'dataDisks')],
  [/accelerated ?networking/i, machine('networkInterfaces', 'acceleratedNetworking', 'vmSize')],
  [/identit(y|ies)/i, machine('userAssignedIdentities')],
  [/subnet|virtual ?networks?\b|ip ?configuration|network ?interface/i, network],
  [/dns ?server/i, machine('dnsServers')],
  [/\bssh\b|publicKeys|keyData/i, machine('sshPublicKey')],
  [/diagnostics/i, machine('diagnostics')],
  [/image|galler(y|ies)|marketplace|\bplan\b/i, image],
  [/\b(spot|priority|evict\w*|max ?price)\b/i, machine('spotVMOptions')],
  [/\bzones?\b/i, failureDomain],
  [/\b(vm ?size|of size|machine size)\b/i, machine('vmSize')],
  [/\blocation\b/i, cluster('location')],
]

/** The same refusal, with our names of the fields before Azure's own words. */
export const withFields: (error: CloudError) => CloudError = naming({ kinds: ofSpecs, byCode, byMessage })

/** The same for refusals of any call that say that the subscription does not exist. */
export const withScopeFields: (error: CloudError) => CloudError = naming({
  kinds: ['denied'],
  byCode: { SubscriptionNotFound: cluster('subscriptionID'), InvalidSubscriptionId: cluster('subscriptionID') },
  byMessage: [],
})
