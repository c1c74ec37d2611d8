import type { Ctx } from '../../api/ctx.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { ApiError, isNotFound } from '../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../controllers/runtime/client/client.ts'
import { eventually, type Patience } from './eventually.ts'
import { kindsOf } from './objects.ts'

const namespaces: Resource = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }
const atOnce = 8

export interface Emptying extends Patience {
  /** The kinds to delete first; left out: all in any order. */
  readonly first?: (kind: string) => boolean
}

export interface Found {
  readonly resource: Resource
  readonly object: KubeObject
}

/**
 * Deletes a namespace as the namespace controller does, which no lab has. Nothing can be created in it any more, and
 * everything is deleted in any order, several at once, until nothing is left. The namespace itself stays.
 */
export async function deleteNamespace(name: string, client: KubeClient, how: Emptying, ctx: Ctx): Promise<void> {
  await client.delete(namespaces, { name }, {}, ctx)
  const kinds = await namespacedKinds(client, ctx)
  await eventually(
    `namespace ${name} is empty`,
    async () => {
      const left = await contents(name, kinds, client, ctx)
      const { first = () => false } = how
      await deleteAll(
        left.filter(({ resource }) => first(resource.kind)),
        client,
        ctx,
      )
      await deleteAll(
        left.filter(({ resource }) => !first(resource.kind)),
        client,
        ctx,
      )
      if (left.length > 0) throw new Error(`there still is ${left.map(nameOf).join(', ')}`)
    },
    how,
  )
}

/** All objects of a namespace, of all kinds. */
export async function everythingIn(name: string, client: KubeClient, ctx: Ctx): Promise<Found[]> {
  return contents(name, await namespacedKinds(client, ctx), client, ctx)
}

async function namespacedKinds(client: KubeClient, ctx: Ctx): Promise<Resource[]> {
  const { groups } = JSON.parse(await client.raw('/apis', ctx)) as {
    groups: { preferredVersion: { groupVersion: string } }[]
  }
  const versions = ['v1', ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)]
  const kinds = await Promise.all(versions.map((version) => kindsOf(version, client, ctx)))
  // The order in which the API server lists its groups changes.
  return kinds
    .flat()
    .filter(({ namespaced }) => namespaced)
    .toSorted((a, b) => `${a.group}/${a.kind}`.localeCompare(`${b.group}/${b.kind}`))
}

async function contents(namespace: string, kinds: readonly Resource[], client: KubeClient, ctx: Ctx): Promise<Found[]> {
  const found = await Promise.all(
    kinds.map(async (resource) => {
      const { items } = await client.list(resource, { namespace }, ctx).catch(noneOfWhatHasNoList)
      return items.map((object) => ({ resource, object }))
    }),
  )
  return found.flat()
}

/** Some kinds can only be created, such as reviews of access. */
function noneOfWhatHasNoList(error: unknown): { items: KubeObject[] } {
  if (error instanceof ApiError && (error.status === 405 || error.status === 404)) return { items: [] }
  throw error
}

async function deleteAll(found: readonly Found[], client: KubeClient, ctx: Ctx): Promise<void> {
  const waiting = shuffled(found.filter(({ object }) => object.metadata.deletionTimestamp === undefined))
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { namespace = '', name } = next.object.metadata
      await client.delete(next.resource, { namespace, name }, {}, ctx).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

function nameOf({ resource, object }: Found): string {
  return `${resource.kind} ${object.metadata.name}`
}
