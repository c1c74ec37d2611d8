import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Scope } from '../../../api/scope.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import { pageOf, readImage, readNamed, readProfile, readSubnet, type Page } from '../wire/answers.ts'
import type { VpcAction } from '../wire/buckets.ts'
import type { Vpc } from '../wire/client.ts'
import { pages } from '../wire/pages.ts'
import { imageFacts, profileFacts, subnetFacts, type ImageFacts, type ProfileFacts, type Subnet } from './facts.ts'
import { ttlMs } from './ttl.ts'
import type { VpcNamed } from '../wire/documents.ts'

interface One<T> {
  readonly action: VpcAction
  readonly path: readonly string[]
  readonly read: (answer: unknown) => T
}

interface Listed<T> {
  readonly action: VpcAction
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
  readonly read: (answer: unknown) => Page<T>
}

/**
 * Facts of IBM Cloud that a launch needs. All machines of a scope share the answers, so the calls do not grow with the
 * machines.
 */
export class Lookups {
  readonly #vpc: Vpc
  readonly #profiles = new TtlCache<ProfileFacts | undefined>({ keepMs: ifThere(ttlMs.profile) })
  readonly #images = new TtlCache<ImageFacts | undefined>({ keepMs: ifThere(ttlMs.image) })
  readonly #named = new TtlCache<readonly ImageFacts[]>({ keepMs: unlessEmpty(ttlMs.image) })
  readonly #subnets = new TtlCache<Subnet | undefined>({ keepMs: ifThere(ttlMs.subnet) })
  readonly #names = new TtlCache<readonly VpcNamed[]>({ keepMs: unlessEmpty(ttlMs.names) })

  constructor(vpc: Vpc) {
    this.#vpc = vpc
  }

  /** Undefined: the region has no such profile. */
  profile(name: string, scope: Scope, ctx: Ctx): Promise<ProfileFacts | undefined> {
    const what = {
      action: 'get_instance_profile',
      path: ['instance', 'profiles', name],
      read: readProfile,
    } as const
    return this.#profiles.get(
      keyOf(scope, name),
      async () => mapped(profileFacts, await this.#one(what, scope, ctx)),
      ctx,
    )
  }

  /** Undefined: the account sees no such image in the region. */
  image(id: string, scope: Scope, ctx: Ctx): Promise<ImageFacts | undefined> {
    const what = { action: 'get_image', path: ['images', id], read: readImage } as const
    return this.#images.get(keyOf(scope, id), async () => mapped(imageFacts, await this.#one(what, scope, ctx)), ctx)
  }

  /** The account's own and the public ones of this name, in any state. */
  imagesNamed(name: string, scope: Scope, ctx: Ctx): Promise<readonly ImageFacts[]> {
    const read = pageOf('images', readImage)
    const what = { action: 'list_images', path: ['images'], query: { name }, read } as const
    return this.#named.get(keyOf(scope, name), async () => (await this.#all(what, scope, ctx)).map(imageFacts), ctx)
  }

  /** Undefined: the account sees no such subnet in the region. */
  subnet(id: string, scope: Scope, ctx: Ctx): Promise<Subnet | undefined> {
    const what = { action: 'get_subnet', path: ['subnets', id], read: readSubnet } as const
    return this.#subnets.get(keyOf(scope, id), async () => mapped(subnetFacts, await this.#one(what, scope, ctx)), ctx)
  }

  /** All keys of the account in the region: IBM has no search by name. */
  keys(scope: Scope, ctx: Ctx): Promise<readonly VpcNamed[]> {
    const what = { action: 'list_keys', path: ['keys'], query: {}, read: pageOf('keys', readNamed) } as const
    return this.#names.get(keyOf(scope, 'keys'), () => this.#all(what, scope, ctx), ctx)
  }

  /** All security groups of the VPC; of the region, where the VPC is not known. */
  securityGroups(vpc: string | undefined, scope: Scope, ctx: Ctx): Promise<readonly VpcNamed[]> {
    const query = vpc === undefined ? {} : { 'vpc.id': vpc }
    const read = pageOf('security_groups', readNamed)
    const what = { action: 'list_security_groups', path: ['security_groups'], query, read } as const
    return this.#names.get(keyOf(scope, 'groups', vpc), () => this.#all(what, scope, ctx), ctx)
  }

  async #one<T>({ action, path, read }: One<T>, scope: Scope, ctx: Ctx): Promise<T | undefined> {
    try {
      return await this.#vpc.call({ scope, action, request: { method: 'GET', path }, read }, ctx)
    } catch (thrown) {
      if (thrown instanceof CloudError && thrown.kind === 'missing') return undefined
      throw thrown
    }
  }

  async #all<T>({ action, path, query, read }: Listed<T>, scope: Scope, ctx: Ctx): Promise<T[]> {
    const all: T[] = []
    for await (const { items } of pages(this.#vpc, { scope, action, path, query, read }, ctx)) all.push(...items)
    return all
  }
}

/** The lookups as plans use them. */
export type Looking = Pick<Lookups, keyof Lookups>

function keyOf({ identity, account, region }: Scope, ...rest: unknown[]): string {
  return JSON.stringify([identity, account, region, ...rest])
}

function mapped<T, U>(map: (from: T) => U, from: T | undefined): U | undefined {
  return from === undefined ? undefined : map(from)
}

function ifThere(keepMs: number): (answer: unknown) => number {
  return (answer) => (answer === undefined ? ttlMs.nothing : keepMs)
}

function unlessEmpty(keepMs: number): (answer: readonly unknown[]) => number {
  return ({ length }) => (length > 0 ? keepMs : ttlMs.nothing)
}
