import { CloudError } from '../../api/cloud-error.ts'
import { shortened } from '../errors.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import type { Instance } from '../../api/instance.ts'
import { noticeKinds, noticeSources, type Notice, type NoticeKind, type NoticeSource } from '../../api/notice.ts'
import type { Impairment, ShownNotices, ShownPage } from '../notices.ts'
import type { Instances, Launch } from '../instances.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { tagOf, notOurs } from '../shared/ownership.ts'
import { ForeignAnswer, foreignAnswer } from '../shared/foreign-answer.ts'
import { type Check, flag, listOf, maybe, name, number, shaped, text } from '../shared/shape.ts'

/**
 * The same instances. Every failure is a `CloudError`, and every field of an answer has its type. A proxy, a changed
 * API or a fault in between may answer anything, and such an answer proves nothing. The answer to a create has the tag
 * of that launch.
 */
export function normalized(instances: Instances): Instances {
  return {
    create: (want, ctx) => reading('ambiguous', async () => ours(whole(await instances.create(want, ctx)), want)),
    find: (which, ctx) =>
      reading('transient', async () => {
        const found = await instances.find(which, ctx)
        return typeof found === 'string' ? found : whole(found)
      }),
    terminate: (which, ctx) => reading('ambiguous', () => instances.terminate(which, ctx)),
    async *list(scope, ctx) {
      try {
        for await (const page of instances.list(scope, ctx)) {
          page.items.forEach(whole)
          yield page
        }
      } catch (thrown) {
        throw inOurWords('transient', thrown)
      }
    },
  }
}

/**
 * The same notices, of which every failure is a `CloudError`. What is not whole is left out: it must not hide the
 * others.
 */
export function normalizedNotices(notices: ShownNotices): ShownNotices {
  return {
    ...notices,
    async *list(scope, ctx) {
      try {
        for await (const page of notices.list(scope, ctx)) yield wholePage(page)
      } catch (thrown) {
        throw inOurWords('transient', thrown)
      }
    },
  }
}

function wholePage({ notices, over, impaired }: ShownPage): ShownPage {
  return {
    notices: notices.filter(isWholeNotice),
    ...(over ? { over: over.filter(isWholeNotice) } : {}),
    ...(impaired ? { impaired: impaired.filter(isWholeImpairment) } : {}),
  }
}

async function reading<T>(kind: RefusalKind, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (thrown) {
    throw inOurWords(kind, thrown)
  }
}

function inOurWords(kind: RefusalKind, thrown: unknown): CloudError {
  if (thrown instanceof CloudError) return thrown
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'something that is no Error was thrown'
  const isForeign = thrown instanceof ForeignAnswer
  const message = isForeign ? thrown.message : `The answer of the cloud could not be read; ${said}`
  return foreignAnswer(kind, shortened(message), thrown)
}

/** Refuses an instance of another owner. Once kept as ours, the manager would watch it and end it as ours. */
function ours(instance: Instance, want: Launch): Instance {
  if (isOwnedBy(instance, tagOf(want))) return instance
  throw notOurs(`Instance ${instance.name ?? instance.id}`)
}

const states = new Set<unknown>(['pending', 'running', 'stopping', 'stopped', 'terminating', 'terminated', 'leftover'])
const capacityTypes = new Set<unknown>(['Spot', 'OnDemand', 'Reserved'])

/** As long as a status has room for. */
const short: Check = (value) => typeof value === 'string' && value.length <= 256

const isWhole = shaped({
  id: (value) => value !== '' && short(value),
  name: maybe(short),
  account: maybe(short),
  state: (value) => states.has(value),
  started: flag,
  tag: maybe(shaped({ owner: name, machine: name, machineName: maybe(text), token: name })),
  capacityType: (value) => capacityTypes.has(value),
  instanceType: short,
  zone: short,
  addresses: listOf(shaped({ type: name, address: (value) => value !== '' && short(value) })),
  reason: maybe(shaped({ code: text, message: text })),
  interrupted: maybe(flag),
  launchedAt: maybe(number),
  failure: maybe((value) => value instanceof CloudError),
} satisfies Record<keyof Instance, Check>)

const isWholeNotice = shaped({
  instance: (value) => value !== '' && short(value),
  kind: (value) => noticeKinds.includes(value as NoticeKind),
  at: number,
  deadline: maybe(number),
  source: (value) => noticeSources.includes(value as NoticeSource),
} satisfies Record<keyof Notice, Check>)

const isWholeImpairment = shaped({
  instance: (value) => value !== '' && short(value),
  since: number,
} satisfies Record<keyof Impairment, Check>)

/** The last check: each adapter has checked its own answers already. */
function whole(instance: Instance): Instance {
  if (!isWhole(instance)) throw new TypeError('an instance is not whole')
  return instance
}
