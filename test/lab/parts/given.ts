import { existsSync } from 'node:fs'
import path from 'node:path'
import type { PartName } from './recipes.ts'

/** Programs that the environment names, with envtest's variables and precedence. */
export function givenParts(env: NodeJS.ProcessEnv): Partial<Record<PartName, string>> {
  const etcd = givenProgram(env, 'TEST_ASSET_ETCD', 'etcd')
  const apiserver = givenProgram(env, 'TEST_ASSET_KUBE_APISERVER', 'kube-apiserver')
  return { ...(etcd && { etcd }), ...(apiserver && { 'kube-apiserver': apiserver }) }
}

function givenProgram(env: NodeJS.ProcessEnv, variable: string, name: string): string | undefined {
  const folder = env['KUBEBUILDER_ASSETS']
  const [from, program] = env[variable]
    ? [variable, env[variable]]
    : ['KUBEBUILDER_ASSETS', folder && path.join(folder, name)]
  if (!program) return undefined
  if (!existsSync(program)) throw new Error(`${from} leads to ${program}, and there is no such file.`)
  return program
}
