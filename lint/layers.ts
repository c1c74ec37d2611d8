import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloudNames, type CloudName } from '../api/scope.ts'

/**
 * The directions of imports: `api <- providers <- controllers <- main`. The lint rules are built from this table only.
 */
export interface Layer {
  /** The files of the row. If two rows match a file, only the later one counts. */
  files: string[]
  refuses: Refusal[]
}

/** Import specifiers, as a regular expression (the linter has no lookahead), or as globs with exceptions by `!`. */
export type Refusal = { message: string } & ({ regex: string } | { group: string[] })

const to = (folders: string, message: string): Refusal => ({ regex: `^(\\.\\.?/)+(${folders})(/|$)`, message })

/** The libraries that only the folder of this cloud may import. */
function librariesOf(cloud: CloudName): string[] {
  const file = join(import.meta.dirname, '..', 'providers', cloud, 'libraries.json')
  return JSON.parse(readFileSync(file, 'utf8')) as string[]
}

export const notTest = to('test', 'Shipped code must not know that tests and simulators exist.')
const notControllers = to('controllers', 'Only controllers/ may import controllers/.')
const notClouds: Refusal = {
  regex: `^(\\.\\.?/)+(providers/)?(${cloudNames.join('|')})/`,
  message: 'Only providers/registry.ts names a cloud.',
}
const notTimers: Refusal = {
  regex: '^(node:)?(timers|perf_hooks)(/|$)',
  message: 'Take the time from the Clock that was passed in.',
}

/** The rooms of controllers/ from which every other room may import. */
export const sharedRooms = ['capacity', 'runtime', 'shared', 'workload']
/** The rooms that only manager/ imports. */
export const ownRooms = [
  'agent',
  'cluster',
  'controlplane',
  'interruption',
  'machine',
  'metrics',
  'node',
  'remediation',
  'template',
]

function notSiblingsOf(room: string): Refusal {
  const others = [...ownRooms, 'manager'].filter((other) => other !== room)
  const message = 'Siblings in controllers/ do not import each other: what two need stands in controllers/shared/.'
  return to(others.join('|'), message)
}

const agentMessage = 'The agent runs on every Node: it imports api/ and node: only.'
/** Packages: neither a relative path nor a module of Node. */
const notPackages: Refusal = { regex: '^([^.n]|n[^o]|no[^d]|nod[^e]|node[^:])', message: agentMessage }
/** Tests may import these; the code beside them may not. */
export const shippedOnly = [notTest, notPackages]

function notLibrariesOf(others: readonly CloudName[]): Refusal {
  const names = others.flatMap(librariesOf)
  return { regex: `^(${names.join('|')})`, message: "A cloud's library is imported in that cloud's folder only." }
}
const notLibraries = notLibrariesOf(cloudNames)

function cloudLayer(cloud: CloudName): Layer {
  const others = cloudNames.filter((other) => other !== cloud)
  return {
    files: [`providers/${cloud}/**`],
    refuses: [
      notControllers,
      notTest,
      notTimers,
      notLibrariesOf(others),
      to(`(providers/)?(${others.join('|')})`, 'One cloud does not know another.'),
    ],
  }
}

export const layers: Layer[] = [
  {
    files: ['api/**'],
    refuses: [
      to('providers', 'api/ is pure: it imports nothing else of ours.'),
      notControllers,
      notTest,
      notLibraries,
      notTimers,
      { regex: '^node:', message: 'api/ is pure: no I/O.' },
    ],
  },
  {
    files: ['providers/*.ts', 'providers/{decorators,fleet,shared,wire}/**'],
    refuses: [notControllers, notTest, notClouds, notLibraries, notTimers],
  },
  { files: ['providers/registry.ts'], refuses: [notControllers, notTest, notLibraries, notTimers] },
  ...cloudNames.map(cloudLayer),
  { files: ['controllers/**'], refuses: [notTest, notClouds, notLibraries, notTimers] },
  ...[...sharedRooms, ...ownRooms].map((room) => ({
    files: [`controllers/${room}/**`],
    refuses: [notTest, notClouds, notLibraries, notTimers, notSiblingsOf(room)],
  })),
  {
    files: ['controllers/runtime/**'],
    refuses: [
      notTest,
      notLibraries,
      notTimers,
      to('providers', 'runtime/ knows none of our kinds and no cloud.'),
      {
        group: ['**/api/**', '!**/api/ctx.ts', '!**/api/deadline.ts', '!**/api/meta.ts', '!**/api/unless-aborted.ts'],
        message:
          'runtime/ knows none of our kinds; of api/ it takes ctx.ts, deadline.ts, meta.ts and unless-aborted.ts only.',
      },
      { regex: '^\\.\\./\\.\\./[a-z]', message: 'runtime/ knows none of our kinds, so nothing that stands beside it.' },
    ],
  },
  {
    files: ['controllers/agent/**'],
    refuses: [
      notTest,
      notPackages,
      notTimers,
      to('config|providers', agentMessage),
      to([...sharedRooms, 'manager'].join('|'), agentMessage),
      notSiblingsOf('agent'),
    ],
  },
]
