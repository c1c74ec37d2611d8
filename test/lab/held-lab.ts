// A lab in a process of its own, for the tests that end such a process in every way there is. It says on stdout when
// the lab is up, and stops it when its stdin ends.
import { text } from 'node:stream/consumers'
import { startLab } from './lab.ts'

const lab = await startLab()
await lab.manager.start()
process.stdout.write(`${lab.folder}\n`)
await text(process.stdin)
await lab.stop()
