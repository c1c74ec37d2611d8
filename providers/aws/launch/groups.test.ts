import { describe, expect, it } from 'vitest'
import { FakeLookups, wantedWith, type Given } from '../../../test/support/clouds/aws-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { securityGroupsFor } from './groups.ts'
import { readWanted } from './wanted.ts'

const given: Given = {
  machine: { additionalSecurityGroups: [{ id: 'sg-9' }, { filters: [{ name: 'group-name', values: ['x*'] }] }] },
  cluster: { network: { vpc: { id: 'vpc-1' }, securityGroupOverrides: { node: 'sg-1' } } },
}

function groups(lookups: FakeLookups): Promise<string[]> {
  return securityGroupsFor(readWanted(wantedWith(given)), lookups, quietCtx())
}

describe('security groups', () => {
  it('are those of the nodes, those that are named and all that filters find, each once', async () => {
    const lookups = new FakeLookups()
    lookups.groupsFor = () => ['sg-1', 'sg-5']
    expect(await groups(lookups)).toEqual(['sg-1', 'sg-9', 'sg-5'])
    expect(lookups.asked).toEqual(['groups vpc-id=vpc-1 group-name=x*'])
  })

  it('that filters do not find are an invalid configuration that names the field', async () => {
    await expect(groups(new FakeLookups())).rejects.toMatchObject({
      kind: 'invalid',
      message:
        'spec.additionalSecurityGroups[1].filters of the AWSMachine match no security group in us-east-1; correct ' +
        'the filters, or set the id.',
    })
  })

  it('of a filter that EC2 refuses: the field stands before EC2’s words', async () => {
    const lookups = new FakeLookups()
    lookups.groupsFor = () => {
      throw new CloudError('invalid', { code: 'InvalidParameterValue', message: "The filter 'x' is invalid" })
    }
    await expect(groups(lookups)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'InvalidParameterValue',
      message: "spec.additionalSecurityGroups[1].filters of the AWSMachine: The filter 'x' is invalid",
    })
  })
})
