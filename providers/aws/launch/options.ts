import type {
  CpuOptionsRequest,
  InstanceMetadataOptionsRequest,
  InstanceNetworkInterfaceSpecification,
  Placement,
  PrivateDnsNameOptionsRequest,
} from '@aws-sdk/client-ec2'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'

/** Settings of an instance that follow from its spec alone. */
export function metadataOptionsOf({ instanceMetadataOptions }: AWSMachineSpec): InstanceMetadataOptionsRequest {
  const { httpEndpoint, httpTokens, httpPutResponseHopLimit, httpProtocolIpv6 } = instanceMetadataOptions ?? {}
  return {
    HttpEndpoint: httpEndpoint ?? 'enabled',
    // Without a token a pod that makes a server fetch a URL gets no credentials.
    HttpTokens: httpTokens ?? 'required',
    HttpPutResponseHopLimit: httpPutResponseHopLimit ?? 1,
    HttpProtocolIpv6: httpProtocolIpv6,
  }
}

export function placementOf(spec: AWSMachineSpec): Placement | undefined {
  const { placementGroupName, placementGroupPartition, tenancy } = spec
  if (!placementGroupName && !tenancy) return undefined
  return { GroupName: placementGroupName, PartitionNumber: placementGroupPartition, Tenancy: tenancy }
}

export function privateDnsNameOf({ privateDnsName }: AWSMachineSpec): PrivateDnsNameOptionsRequest | undefined {
  if (!privateDnsName) return undefined
  const { hostnameType, enableResourceNameDnsARecord, enableResourceNameDnsAAAARecord } = privateDnsName
  return {
    HostnameType: hostnameType,
    EnableResourceNameDnsARecord: enableResourceNameDnsARecord,
    EnableResourceNameDnsAAAARecord: enableResourceNameDnsAAAARecord,
  }
}

/** Part of the network interface. The address is asked for, because a subnet need not assign one. */
export function primaryIPv6Of({
  assignPrimaryIPv6,
}: AWSMachineSpec): Pick<InstanceNetworkInterfaceSpecification, 'PrimaryIpv6' | 'Ipv6AddressCount'> {
  return assignPrimaryIPv6 === 'enabled' ? { PrimaryIpv6: true, Ipv6AddressCount: 1 } : {}
}

export function cpuOptionsOf({ cpuOptions }: AWSMachineSpec): CpuOptionsRequest | undefined {
  if (!cpuOptions?.confidentialCompute) return undefined
  return {
    AmdSevSnp: cpuOptions.confidentialCompute === 'AMDEncryptedVirtualizationNestedPaging' ? 'enabled' : 'disabled',
  }
}
