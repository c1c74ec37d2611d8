// A lab in its own process, for tests that end such a process in every way. It prints a line when the lab is up, and
// stops it when its stdin ends.
import { text } from 'node:stream/consumers'
import { startLab } from '../lab.ts'

const lab = await startLab()
await lab.manager.start()
process.stdout.write(`${lab.folder}\n`)
await text(process.stdin)
await lab.stop()
