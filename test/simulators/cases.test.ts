import { globSync } from 'node:fs'
import { describe } from 'vitest'

// Every test file is a process of its own, and most cases here load the vendor's client, which takes longer than all
// that they do with it. So they share one: whatever stands beside a source as `x.cases.ts` is run from here.
const files = globSync('**/*.cases.ts', { cwd: import.meta.dirname }).toSorted()

describe.each(files)('%s', (file) => import(/* @vite-ignore */ `./${file}`))
