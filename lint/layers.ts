/** Who may import whom: `api <- providers <- controllers <- main`. The one table from which the lint rules are built. */
export interface Layer {
  /** Files that the row speaks of. */
  files: string[]
  /** Import specifiers that are refused there, as regular expressions. */
  refuses: { regex: string; message: string }[]
}

const to = (folders: string, message: string) => ({ regex: `^(\\.\\.?/)+(${folders})(/|$)`, message })
const clouds = ['aws', 'azure', 'gcp', 'ibm']

const notTest = to('test', 'Shipped code must not know that tests and simulators exist.')
const notControllers = to('controllers', 'Only controllers/ may import controllers/.')
const notClouds = {
  regex: `^(\\.\\.?/)+(providers/)?(${clouds.join('|')})/`,
  message: 'Only providers/registry.ts names a cloud.',
}
const notSdks = {
  regex: '^(@aws-sdk|@azure|@google-cloud|google-auth-library|ibm-cloud-sdk-core)',
  message: "A cloud's library is imported in that cloud's folder only.",
}
const globalTimers = { regex: '^node:timers', message: 'Take the time from the Clock that was passed in.' }

export const layers: Layer[] = [
  {
    files: ['api/**'],
    refuses: [
      to('providers', 'api/ is pure: it imports nothing else of ours.'),
      notControllers,
      notTest,
      notSdks,
      globalTimers,
      { regex: '^node:', message: 'api/ is pure: no I/O.' },
    ],
  },
  {
    files: ['providers/*.ts', 'providers/{fleet,wire}/**'],
    refuses: [notControllers, notTest, notClouds, notSdks, globalTimers],
  },
  { files: ['providers/registry.ts'], refuses: [notControllers, notTest, notSdks, globalTimers] },
  ...clouds.map((cloud) => ({
    files: [`providers/${cloud}/**`],
    refuses: [
      notControllers,
      notTest,
      globalTimers,
      to(`(providers/)?(${clouds.filter((c) => c !== cloud).join('|')})`, 'One cloud does not know another.'),
    ],
  })),
  { files: ['controllers/**'], refuses: [notTest, notClouds, notSdks, globalTimers] },
  {
    files: ['controllers/runtime/**'],
    refuses: [
      notTest,
      notSdks,
      globalTimers,
      to('providers', 'runtime/ knows none of our kinds and no cloud.'),
      { regex: '/api/(?!ctx\\.ts$)', message: 'runtime/ knows none of our kinds; of api/ it takes ctx.ts only.' },
      {
        regex: '^(\\.\\./)+(machine|cluster|controlplane|node|remediation|capacity|interruption)/',
        message: 'runtime/ knows none of our kinds.',
      },
    ],
  },
  { files: ['test/**', 'scripts/**', 'crds/**', 'config/**', 'lint/**'], refuses: [] },
]
