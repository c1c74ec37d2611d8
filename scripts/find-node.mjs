import { existsSync } from 'node:fs'
import path from 'node:path'

const needed = 24

/**
 * The Node that runs the project: the one of the dependencies, otherwise this one if it is new enough.
 *
 * @param {string} root
 * @param {string} [version] of the Node that runs this
 */
export function findNode(root, version = process.versions.node) {
  const packaged = path.join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(packaged)) return packaged
  if (Number.parseInt(version, 10) >= needed) return process.execPath
  throw new Error(
    `Node ${needed} or newer is needed, and none comes with the dependencies for ${process.platform}-${process.arch}; ` +
      `this is v${version}. Install Node ${needed} from https://nodejs.org and start again.`,
  )
}
