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
    // A pod that can make a server fetch a URL for it gets no credentials without a token.
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

/** Of the network interface. One address has to be asked for: a subnet need not give any by itself. */
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
