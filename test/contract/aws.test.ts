import { openAwsRig } from './aws-rig.ts'
import { instancesContract } from './instances.ts'
import { tamperedContract } from './tampered.ts'

tamperedContract('aws', openAwsRig)
instancesContract('aws', openAwsRig)
