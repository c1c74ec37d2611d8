import type { CloudName } from '../api/scope.ts'

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

/** Each cloud with the libraries that only its own folder may import. */
const libraries: Readonly<Record<CloudName, readonly string[]>> = {
  aws: ['@aws-sdk/', '@smithy/'],
  azure: ['@azure/'],
  gcp: ['@google-cloud/', 'google-auth-library'],
  ibm: ['ibm-cloud-sdk-core'],
}
const clouds = Object.keys(libraries) as CloudName[]

export const notTest = to('test', 'Shipped code must not know that tests and simulators exist.')
const notControllers = to('controllers', 'Only controllers/ may import controllers/.')
const notClouds: Refusal = {
  regex: `^(\\.\\.?/)+(providers/)?(${clouds.join('|')})/`,
  message: 'Only providers/registry.ts names a cloud.',
}
const notTimers: Refusal = {
  regex: '^(node:)?(timers|perf_hooks)(/|$)',
  message: 'Take the time from the Clock that was passed in.',
}

function notLibrariesOf(others: readonly CloudName[]): Refusal {
  const names = others.flatMap((cloud) => libraries[cloud])
  return { regex: `^(${names.join('|')})`, message: "A cloud's library is imported in that cloud's folder only." }
}
const notLibraries = notLibrariesOf(clouds)

function cloudLayer(cloud: CloudName): Layer {
  const others = clouds.filter((other) => other !== cloud)
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
  ...clouds.map(cloudLayer),
  { files: ['controllers/**'], refuses: [notTest, notClouds, notLibraries, notTimers] },
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
]
