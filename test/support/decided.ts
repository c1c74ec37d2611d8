import type { Interruption } from '../../api/interruption.ts'

/** What was decided about Machine default/m1 at noon, two minutes before its instance ends. */
export const decided: Interruption = {
  for: 'default/m1',
  instance: 'i-1',
  kind: 'Spot',
  source: 'SpotRequests',
  at: '2026-01-01T12:00:00Z',
  deadline: '2026-01-01T12:02:00Z',
  act: 'Delete',
  machineSet: 'set',
  revision: '3',
  isAhead: true,
  drain: 'AtOnce',
  heldPods: 'Delete',
}
