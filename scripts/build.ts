import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/** Where the manager as it ships stands after `npm run build`. */
export const bundleFolder: string = path.join(import.meta.dirname, '..', 'out', 'manager')

/** Of its files the one that Node is given. */
export const bundleEntry = 'main.js'

/** What is not in the bundle: whoever ships it installs these beside it. */
export const notBundled: readonly string[] = ['@kubernetes/client-node']

/**
 * How Node runs it: a small young generation keeps the resident set small, and costs a manager that mostly waits
 * nothing. One thread beside that of JavaScript collects garbage: with more, each pause waits for the slowest to get a
 * CPU.
 */
export const nodeOptions: string = '--max-semi-space-size=4 --v8-pool-size=1'

/**
 * The manager as it ships: few files instead of thousands, of which Node reads only what runs. Each cloud stays a file
 * of its own, read with its first machine. client-node, needed for exec plugins alone, comes from node_modules.
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
    // The AWS SDK's ES modules can be shaken: of 700 calls those stay that we make. Its CommonJS cannot.
    mainFields: ['module', 'main'],
    external: [...notBundled],
    // Some packages are CommonJS inside and ask for a require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  return path.join(folder, bundleEntry)
}

if (import.meta.main) {
  process.stdout.write(`The manager is built: ${path.relative(process.cwd(), await bundleManager())}\n`)
}
