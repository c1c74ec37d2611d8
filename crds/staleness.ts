import type { Rendered } from './render.ts'

/** One sentence for each generated file that is missing, differs, or belongs to no kind any more. */
export function staleness(wanted: readonly Rendered[], onDisk: readonly Rendered[]): string[] {
  const has = new Map(onDisk.map(({ path, text }) => [path, text]))
  const wants = new Set(wanted.map(({ path }) => path))
  return [
    ...wanted.flatMap(({ path, text }) => {
      const found = has.get(path)
      if (found === undefined) return `${path} is missing. Run \`npm run generate\`.`
      return found === text
        ? []
        : `${path} is stale or was edited: ${difference(found, text)}. Run \`npm run generate\`.`
    }),
    ...onDisk
      .filter(({ path }) => !wants.has(path))
      .map(({ path }) => `${path} belongs to no CRD. Run \`npm run generate\`, which removes it.`),
  ]
}

function difference(found: string, wanted: string): string {
  const [has, wants] = [found.split('\n'), wanted.split('\n')]
  const at = wants.findIndex((line, index) => line !== has[index])
  const line = at < 0 ? wants.length : at
  return `line ${line + 1} is ${quoted(has[line])}, not ${quoted(wants[line])}`
}

function quoted(line: string | undefined): string {
  return line === undefined ? 'absent' : `"${line.trim()}"`
}
