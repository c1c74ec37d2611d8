import { newId } from '../../providers/shared/ownership.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import { Doubts } from './existence/pending-creates.ts'
import type { MachineDeps } from './pass.ts'
import { Pauses } from './launch/backoff.ts'

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
