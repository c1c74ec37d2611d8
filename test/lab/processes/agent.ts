import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { agentOptions } from '../../../scripts/build.ts'
import type { Reaper } from '../reaper/reaper.ts'
import { startProgram, type Program } from './program.ts'

export interface AgentStart {
  /** The bundle. */
  readonly entry: string
  readonly node: string
  readonly pod: { readonly namespace: string; readonly name: string }
  readonly token: string
  readonly server: { readonly url: string; readonly ca: string }
  /** The URL of its metadata service. */
  readonly metadata: string
}

/** The agent as its container runs it, with the files and variables that a kubelet would give it. */
export async function startAgent(start: AgentStart, reaper: Reaper): Promise<Program> {
  const { entry, node, pod, token, server, metadata } = start
  const credentials = path.join(reaper.folder, `${pod.name}-credentials`)
  await mkdir(credentials, { recursive: true, mode: 0o700 })
  await Promise.all([
    writeFile(path.join(credentials, 'token'), token, { mode: 0o600 }),
    writeFile(path.join(credentials, 'ca.crt'), server.ca),
  ])
  const { hostname, port } = new URL(server.url)
  const env = {
    NODE_NAME: node,
    POD_NAME: pod.name,
    POD_NAMESPACE: pod.namespace,
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    CAPSPOT_SERVICE_ACCOUNT: credentials,
    CAPSPOT_METADATA_ENDPOINT: metadata,
  }
  return startProgram(
    { name: pod.name, program: process.execPath, args: [...agentOptions, entry], env, cwd: reaper.folder },
    reaper,
  )
}
