import { expect, test } from 'vitest'
import { refusalOf, startEc2 } from './fixture.ts'
import { standardWorld } from './world.ts'

const asked = { DeviceIndex: 0, PrimaryIpv6: true, Ipv6AddressCount: 1 }

test('an IPv6 address is to be had in a subnet that has any, and nowhere else', async () => {
  await using ec2 = await startEc2()
  const { subnets } = standardWorld()
  const launchIn = (SubnetId: string | undefined) => ec2.launch({ NetworkInterfaces: [{ ...asked, SubnetId }] })
  await launchIn(subnets.find(({ hasIPv6 }) => hasIPv6)?.id)
  const refusal = await refusalOf(launchIn(subnets.find(({ hasIPv6 }) => !hasIPv6)?.id))
  expect(refusal).toMatchObject({ code: 'InvalidParameterValue' })
})
