import { describe, expect, it } from 'vitest'
import { FakeLookups, image, wantedWith, type Given } from '../../../test/support/clouds/aws-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { imageFor } from './images.ts'
import { readWanted } from './wanted.ts'

function lookupsWith(): FakeLookups {
  const lookups = new FakeLookups()
  lookups.types = { 'm5.large': {}, 'm7g.large': { architecture: 'arm64' } }
  lookups.images = [{ id: 'ami-found' }]
  return lookups
}

async function found(given: Given, lookups = lookupsWith()): Promise<string> {
  const wanted = readWanted(wantedWith({ ...given, machine: { ami: {}, ...given.machine } }))
  return (await imageFor(wanted, lookups, quietCtx())).id
}

describe('the image', () => {
  it('that is named is taken, whether EC2 shows it or not', async () => {
    const lookups = lookupsWith()
    expect(await found({ machine: { ami: { id: image } } }, lookups)).toBe(image)
    expect(lookups.asked).toEqual([`image ${image}`])
  })

  it('is else the newest of Cluster API’s own for the Machine’s version and the type’s processor', async () => {
    const lookups = lookupsWith()
    expect(await found({ version: 'v1.36.3', machine: { instanceType: 'm7g.large' } }, lookups)).toBe('ami-found')
    expect(lookups.asked).toEqual(['type m7g.large', 'newest 819546954734 capa-ami-ubuntu-24.04-?1.36.3-* arm64'])
  })

  it.each([
    ['the cluster’s', {}, 'newest self c-flatcar-1.36.3 x86_64'],
    ['the machine’s, field by field', { imageLookupBaseOS: 'al2023' }, 'newest self c-al2023-1.36.3 x86_64'],
    [
      'the machine’s altogether',
      { imageLookupFormat: 'm-{{ .K8sVersion }}', imageLookupOrg: '123456789012' },
      'newest 123456789012 m-1.36.3 x86_64',
    ],
  ])('is looked up by %s fields', async (_, machine, asked) => {
    const lookups = lookupsWith()
    const cluster = {
      imageLookupFormat: 'c-{{.BaseOS}}-{{.K8sVersion}}',
      imageLookupOrg: 'self',
      imageLookupBaseOS: 'flatcar',
    }
    await found({ machine, cluster, version: '1.36.3' }, lookups)
    expect(lookups.asked.at(-1)).toBe(asked)
  })

  it('needs no version where its name has none', async () => {
    await expect(found({ machine: { imageLookupFormat: 'fixed-*' } })).resolves.toBe('ami-found')
  })
})

describe('what cannot be looked up says what to do', () => {
  it.each([
    ['no version', {}, 'No image: set spec.ami.id of the AWSMachine, or spec.version of the Machine'],
    [
      'no such type',
      { version: '1.36.3', machine: { instanceType: 'm9.huge' } },
      'spec.instanceType of the AWSMachine: EC2 has no type m9.huge in us-east-1',
    ],
  ])('%s', async (_, given, message) => {
    const refused = found(given)
    await expect(refused).rejects.toMatchObject({ kind: 'invalid' })
    await expect(refused).rejects.toThrow(message)
  })

  it('no such image', async () => {
    const lookups = lookupsWith()
    lookups.images = []
    await expect(found({ version: '1.36.3' }, lookups)).rejects.toMatchObject({
      kind: 'invalid',
      message:
        'No image: account 819546954734 has no image capa-ami-ubuntu-24.04-?1.36.3-* for x86_64 in us-east-1. ' +
        'Set spec.ami.id of the AWSMachine, or correct spec.imageLookupFormat, imageLookupOrg and imageLookupBaseOS of ' +
        'the AWSMachine or AWSCluster.',
    })
  })
})
