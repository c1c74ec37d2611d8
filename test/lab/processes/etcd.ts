import { cp, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { steadyPort } from './port.ts'
import type { Reaper } from '../reaper/reaper.ts'
import { Server, startOnPort } from './server.ts'
import { whileItStandsStill } from '../stand-still.ts'

/** A backup of etcd. It can be restored any number of times until the lab ends. */
export interface EtcdCopy {
  readonly folder: string
}

/** An etcd of one member. */
export class Etcd extends Server {
  readonly url: string
  readonly #data: string
  readonly #lab: string

  private constructor(program: string, port: number, reaper: Reaper) {
    const url = `http://127.0.0.1:${port}`
    const data = path.join(reaper.folder, 'etcd')
    const args = [
      `--data-dir=${data}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      '--listen-peer-urls=http://127.0.0.1:0',
      // The data has to outlive processes, not a power failure, so it needs no fsync.
      '--unsafe-no-fsync',
    ]
    super({ name: 'etcd', program, args, isReady: () => isHealthy(url) }, reaper)
    this.url = url
    this.#data = data
    this.#lab = reaper.folder
  }

  static async start(program: string, reaper: Reaper): Promise<Etcd> {
    return startOnPort(steadyPort, (port) => new Etcd(program, port, reaper))
  }

  /** Copies its files at one moment. Clients see a pause of some 100 ms. */
  async copy(): Promise<EtcdCopy> {
    const folder = await mkdtemp(path.join(this.#lab, 'etcd-copy-'))
    await whileItStandsStill(this.pid, () => cp(this.#data, folder, { recursive: true }))
    return { folder }
  }

  /** Replaces its files by an older copy. It must not run. */
  async putBack({ folder }: EtcdCopy): Promise<void> {
    if (this.running) throw new Error('etcd runs; kill it before its files are replaced.')
    await rm(this.#data, { recursive: true, force: true })
    await cp(folder, this.#data, { recursive: true })
  }
}

async function isHealthy(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health`)
  return answer.ok && ((await answer.json()) as { health: string }).health === 'true'
}
