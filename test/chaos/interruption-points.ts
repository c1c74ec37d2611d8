import { annotations, core, interrupted } from '../../api/labels.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { ofMachine, ofNode, ofPod, type Point, type WriteBody } from './point.ts'

const noted = ({ metadata }: WriteBody) => metadata?.annotations ?? {}
const isRecord = (body: WriteBody) => typeof noted(body)[annotations.interruption] === 'string'
const isHook = (body: WriteBody) => typeof noted(body)[core.preDrainHook] === 'string'

/**
 * Every point between the notice of an instance's end and the replaced Machine, in this order. A decision without hook
 * is the record; with hook both are one patch.
 */
export function interruptionPoints(queue: LabCloud['queue']): Point[] {
  return [
    {
      name: 'record',
      cause: 'a notice',
      at: { write: (body, { path }) => ofMachine.test(path) && isRecord(body) && !isHook(body) },
    },
    ...(queue ? [{ name: 'ack', cause: 'a notice', at: queue.acknowledge } as const] : []),
    {
      name: 'hook',
      cause: 'a notice that waits',
      at: { write: (body, { path }) => ofMachine.test(path) && isRecord(body) && isHook(body) },
    },
    {
      name: 'delete',
      cause: 'a notice',
      at: { write: (_, { path, method }) => ofMachine.test(path) && method === 'DELETE' },
    },
    {
      name: 'detach',
      cause: 'a notice',
      // The only JSON patch.
      at: { write: (body, { path }) => ofMachine.test(path) && Array.isArray(body) },
    },
    {
      name: 'taint',
      cause: 'a notice that waits',
      at: {
        write: ({ spec }, { path }) =>
          ofNode.test(path) && (spec?.taints?.some(({ key }) => key === interrupted.key) ?? false),
      },
    },
    {
      name: 'unhook',
      cause: 'a notice that waits',
      at: { write: (body, { path }) => ofMachine.test(path) && noted(body)[core.preDrainHook] === null },
    },
    {
      name: 'last call',
      cause: 'a held Pod',
      at: { write: (_, { path, method }) => ofPod.test(path) && method === 'DELETE' },
    },
  ]
}
