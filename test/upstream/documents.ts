import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { loadAll } from 'js-yaml'
import { findKubectl } from '../lab/processes/kubectl.ts'
import { filledIn } from './values.ts'

/** A machine, or a template of machines, of one of the clouds' own providers. */
export interface Upstream {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: unknown
}

export interface Found {
  readonly file: string
  readonly object: Upstream
}

const machineKind = /^(AWS|Azure|GCP|IBMVPC)Machine(Template)?$/
const group = 'infrastructure.cluster.x-k8s.io/'

/** All of them in a folder with the sources of those providers: in manifests, in what kustomize makes, and in pages. */
export async function findUpstream(folder: string): Promise<Found[]> {
  const names = await readdir(folder, { recursive: true })
  const found: Found[] = []
  for (const file of names.toSorted()) {
    if (/(^|\/)(config|node_modules|vendor)\//.test(file)) continue
    if (path.basename(file) === 'kustomization.yaml') found.push(...machinesIn(await built(folder, file), file))
    else if (/\.ya?ml$/.test(file)) found.push(...machinesIn(await textOf(folder, file), file))
    else if (file.endsWith('.md')) {
      for (const block of fenced(await textOf(folder, file))) found.push(...machinesIn(block, file))
    }
  }
  return found
}

function textOf(folder: string, file: string): Promise<string> {
  return readFile(path.join(folder, file), 'utf8')
}

/** Empty where it needs what is not in the folder. */
async function built(folder: string, file: string): Promise<string> {
  const args = ['kustomize', '--load-restrictor', 'LoadRestrictionsNone', path.join(folder, path.dirname(file))]
  const options = { maxBuffer: 64 * 1024 * 1024, env: {} }
  try {
    return (await promisify(execFile)(await findKubectl(), args, options)).stdout
  } catch {
    return ''
  }
}

function fenced(page: string): string[] {
  return [...page.matchAll(/^ *```ya?ml[^\n]*\n(?<body>.*?)^ *```/gms)].map(({ groups }) => groups?.['body'] ?? '')
}

/** One document at a time: a page may have a fragment that is no YAML beside one that is. */
function machinesIn(text: string, file: string): Found[] {
  return text.split(/^---.*$/m).flatMap((document) => {
    try {
      return loadAll(filledIn(document))
        .filter(isMachine)
        .map((object) => ({ file, object }))
    } catch {
      return []
    }
  })
}

function isMachine(document: unknown): document is Upstream {
  const { apiVersion, kind, metadata } = (document ?? {}) as Partial<Upstream>
  return machineKind.test(kind ?? '') && apiVersion?.startsWith(group) === true && metadata?.name !== undefined
}
