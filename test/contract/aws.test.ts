import { accountContract, othersContract } from './account.ts'
import { openAwsRig } from './aws-rig.ts'
import { instancesContract } from './instances.ts'
import { markedNoticesContract, noticesContract } from './notices.ts'
import { offeringsContract } from './offerings.ts'
import { tenantsContract } from './tenants.ts'
import { tamperedContract } from './tampered.ts'

tamperedContract('aws', () => openAwsRig())
instancesContract('aws', openAwsRig)
accountContract('aws', openAwsRig)
othersContract('aws', openAwsRig)
instancesContract('aws, without STS', () => openAwsRig({ hasSts: false }))
offeringsContract('aws', openAwsRig)
tenantsContract('aws', openAwsRig)
noticesContract('aws, by its spot requests,', openAwsRig)
markedNoticesContract('aws, by its spot requests,', openAwsRig)
noticesContract('aws, by the status of instances,', () => openAwsRig({ source: 'Status' }))
