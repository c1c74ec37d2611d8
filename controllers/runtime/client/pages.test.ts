import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import { ApiError } from './api-error.ts'
import type { KubeClient, ListOptions } from './client.ts'
import { pagesOf } from './pages.ts'

const machines: Resource = { group: 'x.io', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true }
const nameOf = (n: number) => `m${String(n).padStart(4, '0')}`

/** Objects of these sizes, in pages of which none may be larger than 100. */
function server(sizes: readonly number[]) {
  const limits: number[] = []
  const list = (_: Resource, { limit = 500, continue: token = '0' }: ListOptions) => {
    limits.push(limit)
    const from = Number(token)
    const page = sizes.slice(from, from + limit)
    if (page.reduce((sum, size) => sum + size, 0) > 100) {
      return Promise.reject(new ApiError({ status: 0, reason: 'TooLarge', message: 'too large' }))
    }
    const items = page.map((_size, n): KubeObject => ({ metadata: { namespace: 'ns', name: nameOf(from + n) } }))
    const next = from + limit < sizes.length ? { continue: String(from + limit) } : {}
    return Promise.resolve({ items, resourceVersion: '7', ...next })
  }
  return { client: { list } as unknown as Pick<KubeClient, 'list'>, limits }
}

async function namesOf(client: Pick<KubeClient, 'list'>, pageSize = 500): Promise<string[]> {
  const names: string[] = []
  for await (const { items } of pagesOf(client, machines, { pageSize }, quietCtx())) {
    names.push(...items.map(({ metadata }) => metadata.name))
  }
  return names
}

describe('C3: a list', () => {
  it('of which no object is too large alone is read whole, whatever their sizes are, each object once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 500 }),
        async (sizes, pageSize) => {
          const { client } = server(sizes)
          expect(await namesOf(client, pageSize)).toEqual(sizes.map((_, n) => nameOf(n)))
        },
      ),
    )
  })

  it('is asked for by halves where a page is too large, and by larger pages again behind that', async () => {
    const { client, limits } = server([...Array.from({ length: 8 }, () => 60), ...Array.from({ length: 60 }, () => 1)])
    await namesOf(client, 16)
    expect(limits.slice(0, 6)).toEqual([16, 8, 4, 2, 1, 1])
    expect(limits).toContain(16)
    expect(limits.slice(6)).toContain(8)
    expect(limits.length).toBeLessThan(40)
  })

  it('with an object that is too large alone cannot be read: the error says which one', async () => {
    await expect(namesOf(server([1, 1, 101, 1]).client)).rejects.toMatchObject({
      reason: 'TooLarge',
      message: expect.stringContaining('The Machine that follows ns/m0001 alone is too large') as string,
    })
    await expect(namesOf(server([101]).client)).rejects.toThrow('The first Machine alone is too large')
  })
})
