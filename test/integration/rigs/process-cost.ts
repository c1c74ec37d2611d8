import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { agentOptions } from '../../../scripts/build.ts'
import type { Program } from '../../lab/processes/program.ts'

type Process = Pick<Program, 'pid'>

/** CPU time of all threads, in milliseconds. */
export async function cpuMs({ pid }: Process): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const spent = await Promise.all(
    threads.map(async (thread) => {
      const [ns = '0'] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')
      return Number(ns) / 1e6
    }),
  )
  return spent.reduce((sum, one) => sum + one, 0)
}

export async function rssMb({ pid }: Process): Promise<number> {
  const kib = /VmRSS:\s+(?<kib>\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.groups?.['kib']
  return Number(kib) / 1024
}

/** A process that asks a server as often as an agent asks EC2, and does nothing with the answers. */
export async function asksOnly(): Promise<Process> {
  const server = createServer((_, response) => void response.end('{}'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = `setInterval(() => require('node:http').get('http://127.0.0.1:${port}', (got) => got.resume()), 667)`
  const child = spawn(process.execPath, [...agentOptions, '-e', ask], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
    server.close()
  })
  if (child.pid === undefined) throw new Error('The process did not start.')
  return { pid: child.pid }
}
