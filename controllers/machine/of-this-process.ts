import { newId } from '../../providers/shared/ownership.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import { PendingCreates } from './existence/pending-creates.ts'
import type { MachineDeps } from './pass.ts'
import { Backoff } from '../shared/backoff.ts'

/** The memory of a process about machines, and its name. */
export function ofThisProcess(): Pick<MachineDeps, 'ownWrites' | 'backoff' | 'pendingCreates' | 'newToken' | 'self'> {
  return {
    ownWrites: new OwnWrites(),
    backoff: new Backoff(),
    pendingCreates: new PendingCreates(),
    newToken: () => newId('token'),
    self: newId('token'),
  }
}
