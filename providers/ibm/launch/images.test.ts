import { describe, expect, it } from 'vitest'
import { FakeLookups, flex, wantedWith } from '../../../test/support/clouds/ibm-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { imageFacts, type ImageFacts } from '../lookups/facts.ts'
import { imageFor } from './images.ts'
import { readWanted } from './wanted.ts'

const facts = (over: Partial<ImageFacts>): ImageFacts => ({
  id: 'r006-1',
  isPrivate: true,
  architecture: 'amd64',
  isWindows: false,
  created: '2026-01-01T00:00:00Z',
  usable: 'everywhere',
  ...over,
})

async function chosen(images: readonly ImageFacts[], image: { id?: string; name?: string } = { name: 'kube' }) {
  const lookups = new FakeLookups()
  lookups.images = images
  const place = { zone: 'us-south-1', profile: flex }
  const id = await imageFor(readWanted(wantedWith({ machine: { image } })), place, lookups, quietCtx())
  return { id, asked: lookups.asked }
}

describe('the image', () => {
  it('that is named by its id is taken, and nobody is asked', async () => {
    expect(await chosen([], { id: 'r006-named' })).toEqual({ id: 'r006-named', asked: [] })
  })

  it('is the account’s own, whatever is public under that name; then the newest', async () => {
    const own = [facts({ id: 'old' }), facts({ id: 'new', created: '2026-02-01T00:00:00Z' })]
    const open = facts({ id: 'public', isPrivate: false, created: '2026-03-01T00:00:00Z' })
    expect((await chosen([open, ...own])).id).toBe('new')
    expect((await chosen([open])).id).toBe('public')
  })

  it('is one that can be used in the zone, for this architecture', async () => {
    const images = [
      facts({ id: 'elsewhere', usable: ['us-south-2'], created: '2026-05-01T00:00:00Z' }),
      facts({ id: 'nowhere', usable: [], created: '2026-04-01T00:00:00Z' }),
      facts({ id: 's390x', architecture: 's390x', created: '2026-03-01T00:00:00Z' }),
      facts({ id: 'here', usable: ['us-south-1'] }),
    ]
    expect((await chosen(images)).id).toBe('here')
    await expect(chosen(images.slice(0, 3))).rejects.toMatchObject({
      kind: 'invalid',
      message:
        'spec.image.name of the IBMMachine: no image kube can be used in us-south-1 for the amd64 of profile bxf-2x8; ' +
        'use another, or wait until it is available there.',
    })
  })

  it('that is not there is refused, with the field', async () => {
    await expect(chosen([])).rejects.toThrow(
      'spec.image.name of the IBMMachine: there is no image kube in us-south; correct it.',
    )
    await expect(chosen([], {})).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('what IBM says of an image', () => {
  const wire = { id: 'r006-1', name: 'kube', status: 'available' }

  it.each([
    ['available', 'everywhere'],
    ['deprecated', 'everywhere'],
    ['partially_available', ['us-south-2']],
    ['obsolete', []],
    ['pending', []],
    ['a-status-to-come', []],
  ])('%s: it can be used %j', (status, usable) => {
    expect(imageFacts({ ...wire, status, zones: [{ name: 'us-south-2' }] }).usable).toEqual(usable)
  })

  it('its system may be Windows, and it is public only where that is said', () => {
    const os = { family: 'Windows Server', name: 'windows-2022-amd64', architecture: 'amd64' }
    expect(imageFacts({ ...wire, operating_system: os })).toMatchObject({ isWindows: true, isPrivate: true })
    expect(imageFacts({ ...wire, visibility: 'public' })).toMatchObject({ isWindows: false, isPrivate: false })
  })
})
