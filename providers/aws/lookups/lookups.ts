import {
  DescribeImagesCommand,
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  type DescribeImagesRequest,
  type EC2Client,
  type Filter as Ec2Filter,
} from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Scope } from '../../../api/scope.ts'
import { invalid } from '../../shared/invalid.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import type { Ec2Action } from '../wire/buckets.ts'
import type { Ec2 } from '../wire/client.ts'
import { pages } from '../wire/pages.ts'
import { imageFacts, subnetFacts, typeFacts, type ImageFacts, type Subnet, type TypeFacts } from './facts.ts'
import { ttlMs } from './ttl.ts'

/**
 * EC2 does not say which image is newest, so all are read. Amazon alone has tens of thousands, and a name may be `*`.
 */
const mostImages = 1_000
/** A page is parsed in one piece, and a thousand images would hold up all other work. */
const imagesOnAPage = 250

/** A filter as people write it in a spec. */
export interface Filter {
  readonly name: string
  readonly values: readonly string[]
}

export interface ImageQuery {
  readonly owner: string
  /** With `*` and `?`. */
  readonly name: string
  readonly architecture: TypeFacts['architecture']
}

/** One page: the kept fields of its items, and the token of the next page. */
interface Page<T> {
  readonly items: readonly T[]
  readonly NextToken: string | undefined
}

type Send<T> = (
  ec2: EC2Client,
  options: { abortSignal: AbortSignal },
  NextToken: string | undefined,
) => Promise<Page<T>>

/**
 * Facts of EC2 that a launch needs. All machines of a scope share the answers, so the calls do not grow with the
 * machines.
 */
export class Lookups {
  readonly #ec2: Ec2
  readonly #types = new TtlCache<readonly TypeFacts[]>({ keepMs: unlessEmpty(ttlMs.instanceType) })
  readonly #images = new TtlCache<readonly ImageFacts[]>({ keepMs: unlessEmpty(ttlMs.image) })
  readonly #newest = new TtlCache<readonly ImageFacts[] | 'too many'>({ keepMs: unlessEmpty(ttlMs.newestImage) })
  readonly #subnets = new TtlCache<readonly Subnet[]>({ keepMs: unlessEmpty(ttlMs.network) })
  readonly #groups = new TtlCache<readonly string[]>({ keepMs: unlessEmpty(ttlMs.network) })
  readonly #zones = new TtlCache<readonly string[]>({ keepMs: () => ttlMs.offeredZones })

  constructor(ec2: Ec2) {
    this.#ec2 = ec2
  }

  /** Undefined: the region has no such type. */
  async instanceType(name: string, scope: Scope, ctx: Ctx): Promise<TypeFacts | undefined> {
    // By a filter, not by name: an unknown type is then an empty list and no error.
    const Filters = filtersOf([{ name: 'instance-type', values: [name] }])
    const send: Send<TypeFacts> = async (ec2, options, NextToken) => {
      const answer = await ec2.send(new DescribeInstanceTypesCommand({ Filters, NextToken }), options)
      return { items: (answer.InstanceTypes ?? []).map(typeFacts), NextToken: answer.NextToken }
    }
    const ask = () => this.#all({ scope, action: 'DescribeInstanceTypes' }, send, ctx)
    const [facts] = await this.#types.get(keyOf(scope, name), ask, ctx)
    return facts
  }

  /** Undefined: the account sees no such image in the region. */
  async image(id: string, scope: Scope, ctx: Ctx): Promise<ImageFacts | undefined> {
    // By id, not by a filter: with a filter EC2 shows no deprecated image, though it launches it.
    const ask = () => this.#askImages({ ImageIds: [id] }, scope, ctx).catch(noneIfUnknown)
    const [facts] = await this.#images.get(keyOf(scope, id), ask, ctx)
    return facts
  }

  /** Undefined: there is none. */
  async newestImage(query: ImageQuery, scope: Scope, ctx: Ctx): Promise<ImageFacts | undefined> {
    const { owner, name, architecture } = query
    const Filters = filtersOf([
      { name: 'name', values: [name] },
      { name: 'architecture', values: [architecture] },
      { name: 'state', values: ['available'] },
      { name: 'virtualization-type', values: ['hvm'] },
    ])
    // Never without the owner: anybody may publish an image under any name.
    const input = { Owners: [owner], Filters, MaxResults: imagesOnAPage }
    const ask = async () => {
      const found = await this.#askImages(input, scope, ctx)
      return found.length > mostImages ? 'too many' : newestFirst(found).slice(0, 1)
    }
    const found = await this.#newest.get(keyOf(scope, owner, name, architecture), ask, ctx)
    if (found !== 'too many') return found[0]
    throw invalid(`More than ${mostImages} images of ${owner} are named ${name}; use a more specific name.`)
  }

  /** The subnets that pass all filters, in the order of their ids. */
  subnets(filters: readonly Filter[], scope: Scope, ctx: Ctx): Promise<readonly Subnet[]> {
    const Filters = filtersOf(filters)
    const send: Send<Subnet> = async (ec2, options, NextToken) => {
      const answer = await ec2.send(new DescribeSubnetsCommand({ Filters, MaxResults: 1000, NextToken }), options)
      return { items: (answer.Subnets ?? []).map(subnetFacts), NextToken: answer.NextToken }
    }
    const ask = async () => {
      const found = await this.#all({ scope, action: 'DescribeSubnets' }, send, ctx)
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    }
    return this.#subnets.get(keyOf(scope, filters), ask, ctx)
  }

  /** The ids of the groups that pass all filters, in order. */
  securityGroups(filters: readonly Filter[], scope: Scope, ctx: Ctx): Promise<readonly string[]> {
    const Filters = filtersOf(filters)
    const send: Send<string> = async (ec2, options, NextToken) => {
      const command = new DescribeSecurityGroupsCommand({ Filters, MaxResults: 250, NextToken })
      const answer = await ec2.send(command, options)
      return {
        items: (answer.SecurityGroups ?? []).flatMap(({ GroupId }) => GroupId ?? []),
        NextToken: answer.NextToken,
      }
    }
    const ask = async () => (await this.#all({ scope, action: 'DescribeSecurityGroups' }, send, ctx)).toSorted()
    return this.#groups.get(keyOf(scope, filters), ask, ctx)
  }

  /**
   * The zones that offer this type; none where EC2 does not say. They only guide a choice, so no permission is needed
   * for it.
   */
  zonesOffering(instanceType: string, scope: Scope, ctx: Ctx): Promise<readonly string[]> {
    const input = {
      LocationType: 'availability-zone',
      Filters: filtersOf([{ name: 'instance-type', values: [instanceType] }]),
    } as const
    const send: Send<string> = async (ec2, options, NextToken) => {
      const answer = await ec2.send(new DescribeInstanceTypeOfferingsCommand({ ...input, NextToken }), options)
      const items = (answer.InstanceTypeOfferings ?? []).flatMap(({ Location }) => Location ?? [])
      return { items, NextToken: answer.NextToken }
    }
    const ask = () => this.#all({ scope, action: 'DescribeInstanceTypeOfferings' }, send, ctx).catch(noneIfRefused)
    return this.#zones.get(keyOf(scope, instanceType), ask, ctx)
  }

  #askImages(input: DescribeImagesRequest, scope: Scope, ctx: Ctx): Promise<ImageFacts[]> {
    const send: Send<ImageFacts> = async (ec2, options, NextToken) => {
      const answer = await ec2.send(new DescribeImagesCommand({ ...input, NextToken }), options)
      return { items: (answer.Images ?? []).map(imageFacts), NextToken: answer.NextToken }
    }
    return this.#all({ scope, action: 'DescribeImages', most: mostImages }, send, ctx)
  }

  /** All pages, but none after the one with which there are more than `most` items. */
  async #all<T>(
    { most = Infinity, ...call }: { scope: Scope; action: Ec2Action; most?: number },
    send: Send<T>,
    ctx: Ctx,
  ): Promise<T[]> {
    const all: T[] = []
    const read = ({ items }: { items: readonly T[] }) => items
    for await (const page of pages(this.#ec2, { ...call, send, read }, ctx)) {
      all.push(...page.read)
      if (all.length > most) break
    }
    return all
  }
}

/** The lookups as plans use them. */
export type Looking = Pick<Lookups, keyof Lookups>

function filtersOf(filters: readonly Filter[]): Ec2Filter[] {
  return filters.map(({ name, values }) => ({ Name: name, Values: [...values] }))
}

function keyOf({ identity, account, region }: Scope, ...rest: unknown[]): string {
  return JSON.stringify([identity, account, region, ...rest])
}

function unlessEmpty(keepMs: number): (answer: { readonly length: number }) => number {
  return ({ length }) => (length > 0 ? keepMs : ttlMs.nothing)
}

function newestFirst(images: readonly ImageFacts[]): ImageFacts[] {
  const rank = ({ created, id }: ImageFacts) => `${created} ${id}`
  return images.toSorted((a, b) => (rank(a) > rank(b) ? -1 : 1))
}

/** To an id that is unknown, or no id at all, EC2 answers with an error. */
function noneIfUnknown(thrown: unknown): ImageFacts[] {
  if (thrown instanceof CloudError && /^InvalidAMIID\.(NotFound|Malformed)$/.test(thrown.code)) return []
  throw thrown
}

/** A definite refusal counts as "EC2 does not say". After any other error the launch is tried again. */
function noneIfRefused(thrown: unknown): string[] {
  if (thrown instanceof CloudError && ['denied', 'invalid', 'transient'].includes(thrown.kind)) return []
  throw thrown
}
