import { expect, test } from 'vitest'
import { refusalOf, startEc2 } from './fixture.ts'

test('what is left: instances with their interfaces, and disks that outlive them', async () => {
  await using ec2 = await startEc2()
  const kept = { DeviceName: '/dev/sdb', Ebs: { VolumeSize: 8, DeleteOnTermination: false } }
  const ids = [await ec2.launchOne({ BlockDeviceMappings: [kept] }), await ec2.launchOne()]
  const left = async () => (await ec2.control('remains')).json as Record<string, readonly string[]>
  const { instances, interfaces, disks } = await left()
  expect(instances).toEqual(ids)
  expect([interfaces?.length, disks?.length]).toEqual([2, 3])
  for (const id of ids) await ec2.control('terminate', { id })
  await ec2.clock.advance(2000)
  expect(await left()).toEqual({ instances: [], interfaces: [], disks: [expect.stringMatching(/^vol-/)] })
})

test('access keys over HTTP', async () => {
  await using ec2 = await startEc2()
  await ec2.control('accept-keys', { keys: { OTHER: 'secret' } })
  expect(await refusalOf(ec2.launch())).toMatchObject({ code: 'AuthFailure' })
  await ec2.control('accept-keys', {})
  await ec2.launch()
})
