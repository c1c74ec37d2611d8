import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStart } from './process-start.mjs'

/**
 * Runs `work` while no other process runs under the same lock. A lock is a folder of claims, one file each, named by
 * the process that made it. Each process claims first and looks afterwards. So two never hold the lock: both see
 * each other, withdraw and try again. The claim of an ended process does not count, so nothing is ever taken over.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {{ onWait?: (holder: number) => void, signal?: AbortSignal | undefined }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(folder, work, { onWait, signal } = {}) {
  const claim = path.join(folder, `${process.pid}-${processStart(process.pid)?.replace(/\W/g, '_')}-${randomUUID()}`)
  for (;;) {
    signal?.throwIfAborted()
    const holder = otherHolder(folder, claim)
    if (holder !== undefined) onWait?.(holder)
    else if (claimAlone(folder, claim)) break
    await sleep(50 + Math.random() * 100, undefined, signal ? { signal } : {})
  }
  try {
    return await work()
  } finally {
    rmSync(claim, { force: true })
  }
}

/**
 * False where another process claimed in the same moment. It may withdraw as well, so it is no holder to wait for.
 *
 * @param {string} folder
 * @param {string} claim
 */
function claimAlone(folder, claim) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(claim, '')
  const alone = otherHolder(folder, claim) === undefined
  if (!alone) rmSync(claim, { force: true })
  return alone
}

/**
 * The pid of another living claimant. Claims of ended processes are swept away on the way: their names never return.
 *
 * @param {string} folder
 * @param {string} ours
 */
function otherHolder(folder, ours) {
  for (const name of claims(folder)) {
    if (name === path.basename(ours)) continue
    const [pid, start] = name.split('-')
    if (processStart(Number(pid))?.replace(/\W/g, '_') === start) return Number(pid)
    rmSync(path.join(folder, name), { force: true })
  }
  return undefined
}

/** @param {string} folder */
function claims(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
