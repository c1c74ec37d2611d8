import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/** The folder of the shipped manager after `npm run build`. */
export const bundleFolder: string = path.join(import.meta.dirname, '..', 'out', 'manager')

/** The file that Node runs. */
export const bundleEntry = 'main.js'

/** Packages outside the bundle. The image installs them beside it. */
export const notBundled: readonly string[] = ['@kubernetes/client-node']

/**
 * Node's options for the manager. A small young generation keeps the resident set small, and costs nothing for a
 * process that mostly waits. Only one more thread collects garbage: with more, each pause waits for the slowest to get
 * a CPU. The old generation has half of the container's memory, as Node decides there by itself. With more of it Node
 * collects less often.
 */
export const nodeOptions: string = '--max-semi-space-size=4 --max-old-space-size=512 --v8-pool-size=1'

/**
 * Bundles the manager: a few files instead of thousands, of which Node reads only what runs. Each cloud stays a
 * separate file that is read with its first machine. client-node is needed only for exec plugins, and comes from
 * node_modules.
 */
export async function bundleManager(folder: string = bundleFolder): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await build({
    entryPoints: [path.join(import.meta.dirname, '..', 'controllers', 'main.ts')],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    legalComments: 'external',
    // The AWS SDK's ES modules can be tree-shaken: of 700 calls only ours stay. Its CommonJS cannot.
    mainFields: ['module', 'main'],
    external: [...notBundled],
    // Some packages are CommonJS inside and need a require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  return path.join(folder, bundleEntry)
}

/** The folder of the agent after `npm run build`. */
const agentFolder: string = path.join(import.meta.dirname, '..', 'out', 'agent')

/** Node's options for the agent. It waits most of its time, and every interruptible Node pays for its memory. */
export const agentOptions: readonly string[] = ['--max-semi-space-size=1', '--v8-pool-size=1']

/** Bundles the agent into one file. It has no package outside, so its image needs nothing else. */
export async function bundleAgent(folder: string = agentFolder): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  const outfile = path.join(folder, 'agent.cjs')
  await build({
    entryPoints: [path.join(import.meta.dirname, '..', 'controllers', 'agent', 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // An ES module's import of node:http loads all that it exports, and that is 9 MB more.
    format: 'cjs',
    minifySyntax: true,
    logLevel: 'warning',
  })
  return outfile
}

if (import.meta.main) {
  const built = { manager: await bundleManager(), agent: await bundleAgent() }
  for (const [what, file] of Object.entries(built)) {
    process.stdout.write(`The ${what} is built: ${path.relative(process.cwd(), file)}\n`)
  }
}
