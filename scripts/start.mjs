// The start of every npm script. It runs on any Node without dependencies, and hands over to the project's own
// Node after it has installed them.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands, listOfCommands } from './commands.mjs'
import { findNode } from './find-node.mjs'
import { installDependencies } from './install.mjs'
import { endLike, runChild } from './run-child.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** @param {string[]} argv */
async function start([name = '', ...args]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    process.stderr.write(`${name && `There is no command '${name}'. `}${listOfCommands()}`)
    process.exitCode = 2
    return
  }
  await installDependencies(root)
  const node = findNode(root)
  const [file, ...own] = command.run
  const bin = [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env['PATH'] ?? '']
  const env = { ...process.env, PATH: bin.join(path.delimiter) }
  endLike(await runChild(node, [path.join(root, file), ...own, ...args], { env }))
}

try {
  await start(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
