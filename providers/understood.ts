import { CloudError, shortened, type ErrorKind } from './errors.ts'
import type { Instance, Instances, Launch } from './instances.ts'
import { isOwnedBy, markOf, notOurs } from './ownership.ts'

/**
 * The same instances, of which every failure is a `CloudError` and every text a text, whatever was answered: a proxy, a
 * changed API or a fault in between may have put anything where we look. Such an answer proves nothing. What answers a
 * create carries the mark of that launch.
 */
export function understood(instances: Instances): Instances {
  return {
    create: (want, ctx) => reading('ambiguous', async () => ours(whole(await instances.create(want, ctx)), want)),
    find: (which, ctx) =>
      reading('transient', async () => {
        const found = await instances.find(which, ctx)
        return typeof found === 'string' ? found : whole(found)
      }),
    terminate: (which, ctx) => reading('ambiguous', () => instances.terminate(which, ctx)),
    async *list(scope, ctx, asking) {
      try {
        for await (const page of instances.list(scope, ctx, asking)) {
          page.items.forEach(whole)
          yield page
        }
      } catch (thrown) {
        throw inOurWords('transient', thrown)
      }
    },
  }
}

async function reading<T>(kind: ErrorKind, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (thrown) {
    throw inOurWords(kind, thrown)
  }
}

function inOurWords(kind: ErrorKind, thrown: unknown): CloudError {
  if (thrown instanceof CloudError) return thrown
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'something that is no Error was thrown'
  const message = shortened(`What the cloud answered could not be read; ${said}`)
  return new CloudError(kind, { code: 'ForeignAnswer', message, cause: thrown })
}

/** Whatever path led to another's instance, it ends here: once kept as ours, it would be watched and ended as ours. */
function ours(instance: Instance, want: Launch): Instance {
  if (isOwnedBy(instance, markOf(want))) return instance
  throw notOurs(`Instance ${instance.name ?? instance.id}`)
}

function whole(instance: Instance): Instance {
  const { id, name, account, zone, instanceType, addresses, reason } = instance
  const texts = [id, name ?? '', account ?? '', zone, instanceType, reason?.code ?? '', reason?.message ?? '']
  const all = [...texts, ...addresses.map(({ address }) => address)]
  if (id === '' || !all.every((text) => typeof text === 'string')) throw new TypeError('an instance is not whole')
  return instance
}
