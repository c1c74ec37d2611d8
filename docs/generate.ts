import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pages } from './pages.ts'

const folder = import.meta.dirname

/** Writes the reference pages. With `check` it only compares, and returns a sentence for each difference. */
export async function generateDocs({ check }: { check: boolean }): Promise<string[]> {
  const complaints: string[] = []
  for (const { file, text } of await pages()) {
    const place = path.join(folder, file)
    const found = await readFile(place, 'utf8').catch(() => '')
    if (found === text) continue
    if (check) complaints.push(`docs/${file} is not what the code says. Run \`npm run generate\`.`)
    else await writeFile(place, text)
  }
  return complaints
}

if (import.meta.main) {
  const complaints = await generateDocs({ check: process.argv.includes('--check') })
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  process.exitCode = complaints.length === 0 ? 0 : 1
}
