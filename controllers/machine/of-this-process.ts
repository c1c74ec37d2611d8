import { newId } from '../../providers/ownership.ts'
import { OwnWrites } from '../runtime/own-writes.ts'
import { Doubts } from './doubts.ts'
import type { MachineDeps } from './pass.ts'
import { Pauses } from './pauses.ts'

/** What a process remembers of machines, and what it is called. */
export function ofThisProcess(): Pick<MachineDeps, 'ownWrites' | 'pauses' | 'doubts' | 'newToken' | 'self'> {
  return {
    ownWrites: new OwnWrites(),
    pauses: new Pauses(),
    doubts: new Doubts(),
    newToken: () => newId('token'),
    self: newId('token'),
  }
}
