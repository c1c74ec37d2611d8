import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Recipe } from './recipes.ts'
import { runGo } from './go.ts'

export interface Build {
  /** The folder of the program and of the files beside it. */
  into: string
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
  /** The progress, in a few words. */
  say: (detail: string) => void
}

/** Builds one part with go, from the module proxy only. */
export async function buildPart(recipe: Recipe<string>, { into, env, signal, say }: Build): Promise<void> {
  const workshop = path.join(into, '.build')
  await mkdir(workshop, { recursive: true })
  const go = (args: string[], onLine: (line: string) => void) => runGo(args, { cwd: workshop, env, signal, onLine })

  let downloads = 0
  const countDownloads = (line: string) => {
    if (line.startsWith('go: downloading')) say(`${++downloads} modules downloaded`)
  }
  say('fetching its source')
  const { GoMod, Dir } = JSON.parse(
    await go(['mod', 'download', '-json', `${recipe.module}@v${recipe.version}`], countDownloads),
  ) as { GoMod: string; Dir: string }
  await writeFile(path.join(workshop, 'go.mod'), moduleFile(recipe, await readFile(GoMod, 'utf8')))

  // -mod=mod: go itself records the dependencies of the one requirement, and the checksums.
  const packages = (await go(['list', '-mod=mod', '-deps', recipe.program], countDownloads)).trim().split('\n').length
  let compiled = 0
  const flags = ['-mod=mod', '-v', '-trimpath', '-buildvcs=false', '-ldflags', linkerFlags(recipe)]
  await go(['build', ...flags, '-o', path.join(into, recipe.name), recipe.program], (line) => {
    if (!line.startsWith('go: ')) compiled++
    say(`${compiled} of at most ${packages} packages compiled`)
  })
  if (recipe.keep) await keep(path.join(Dir, recipe.keep), into)
  await rm(workshop, { recursive: true })
}

/** Copies a folder of the module. Go's own copy is read-only, which would make ours hard to remove. */
async function keep(folder: string, into: string): Promise<void> {
  const copy = path.join(into, path.basename(folder))
  await cp(folder, copy, { recursive: true })
  await chmod(copy, 0o755)
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}

function linkerFlags({ stamp }: Pick<Recipe, 'stamp'>): string {
  return ['-s', '-w', ...Object.entries(stamp).map(([name, value]) => `-X ${name}=${value}`)].join(' ')
}

/** The go.mod of a module of our own, which only requires the part's. `theirs` is the part's go.mod. */
export function moduleFile({ name, module, version, nested = [], staging }: Recipe<string>, theirs: string): string {
  const lines = theirs.split('\n').map((line) => line.trim())
  const settings = lines.filter((line) => /^(go|godebug) \S+$/.test(line))
  const requires = [module, ...nested].map((path) => `require ${path} v${version}`)
  const inTree = lines.flatMap((line) => /^(?:require )?(k8s\.io\/\S+) v0\.0\.0(?: |$)/.exec(line)?.[1] ?? [])
  const replaces = staging ? inTree.map((path) => `replace ${path} => ${path} v${staging}`) : []
  return [`module lab.invalid/${name}`, ...settings, ...requires, ...replaces, ''].join('\n')
}
