import type { RunInstancesCommandInput } from '@aws-sdk/client-ec2'
import { trapsFrom } from '../../kit/traps.ts'

type Input = Partial<RunInstancesCommandInput>
type BlockDevice = NonNullable<NonNullable<RunInstancesCommandInput['BlockDeviceMappings']>[number]['Ebs']>

export const trapsOf = trapsFrom<Input>

export const base64 = (text: string) => Buffer.from(text).toString('base64')
export const spot = (SpotOptions: object, MarketType = 'spot'): Input => ({
  InstanceMarketOptions: { MarketType: MarketType as 'spot', SpotOptions },
})
export const tagged = (Tags: { Key: string; Value: string }[], ResourceType = 'instance'): Input => ({
  TagSpecifications: [{ ResourceType: ResourceType as 'instance', Tags }],
})
export const root = (Ebs: BlockDevice): Input => ({ BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs }] })
export const disk = (Ebs: BlockDevice): Input => ({ BlockDeviceMappings: [{ DeviceName: '/dev/sdb', Ebs }] })
export const plain = (over: Input): Input => ({ NetworkInterfaces: undefined, ...over })
export const nic = (over: object): Input => ({ NetworkInterfaces: [{ DeviceIndex: 0, ...over }] })

export const subnet = 'subnet-0c1a0000000000010'
export const group = 'sg-0c1a0000000000001'
export const otherVpcGroup = 'sg-0d0f0000000000001'
export const nowhere = '0123456789abcdef0'

export const onDemand: Input = { InstanceMarketOptions: undefined }
export const reserved = (target: string | undefined, preference?: 'none' | 'capacity-reservations-only'): Input => ({
  CapacityReservationSpecification: {
    ...(preference && { CapacityReservationPreference: preference }),
    ...(target && { CapacityReservationTarget: { CapacityReservationId: target } }),
  },
})
