import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InstancePage, InstanceRef } from '../../providers/instances.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { standardWorld } from '../simulators/aws/world.ts'
import { openAwsRig, type AwsRig } from './aws-rig.ts'
import { launchFor, refTo } from './rig.ts'

let rig: AwsRig
afterEach(() => rig.close())

describe('where STS is out of reach', () => {
  beforeEach(async () => {
    rig = await openAwsRig({ hasSts: false })
  })

  it('the default security groups say whose the credentials are, and whose an empty list is', async () => {
    expect(await rig.cloud.accountOf(rig.scope, quietCtx())).toBe(rig.account)
    const pages: InstancePage[] = []
    for await (const page of rig.cloud.instances.list(rig.scope, quietCtx())) pages.push(page)
    expect(pages.at(-1)).toMatchObject({ items: [], account: rig.account })
  })

  it('they are asked once for each set of credentials', async () => {
    for (let i = 0; i < 3; i++) await rig.cloud.accountOf(rig.scope, quietCtx())
    const asked = rig.simulator.control.requests().filter(({ action }) => action === 'DescribeSecurityGroups')
    expect(asked).toHaveLength(1)
  })
})

describe('where nothing says whose the credentials are', () => {
  let vanished: InstanceRef
  beforeEach(async () => {
    const world = standardWorld()
    const securityGroups = world.securityGroups.filter(({ name }) => name !== 'default')
    rig = await openAwsRig({ hasSts: false, world: { ...world, securityGroups } })
    const scope = { ...rig.scope, account: rig.account }
    vanished = { ...refTo(rig, launchFor(rig, { scope }), 'i-0123456789abcdef0'), subnet: rig.others.subnet }
    expect(await rig.cloud.accountOf(rig.scope, quietCtx())).toBeUndefined()
  })

  it('a subnet of the pinned account proves no absence: it may be shared with the account of the credentials', async () => {
    await expect(rig.cloud.instances.find(vanished, quietCtx())).rejects.toMatchObject({ code: 'AbsenceUnproven' })
    await expect(rig.cloud.instances.terminate(vanished, quietCtx())).rejects.toMatchObject({ code: 'AbsenceUnproven' })
  })

  it('what was refused for good, or is confirmed to be gone, is gone', async () => {
    const { subnet: _, ...anywhere } = vanished
    const confirmed = { ...anywhere, needsNoProof: true } as const
    expect(await rig.cloud.instances.find(confirmed, quietCtx())).toBe('absent')
    expect(await rig.cloud.instances.terminate(confirmed, quietCtx())).toBe('gone')
  })
})
