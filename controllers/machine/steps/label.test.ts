import { expect, it } from 'vitest'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { writeInterruption, type Interruption } from '../../../api/interruption.ts'
import { nodeLabels } from '../../../api/labels.ts'
import { decided } from '../../../test/support/decided.ts'
import { ApiError } from '../../runtime/client/api-error.ts'
import type { NodeWrite } from '../../shared/nodes.ts'
import { KubeconfigMissing, KubeconfigUnread } from '../../workload/secret.ts'
import type { Pass } from '../pass.ts'
import { label } from './label.ts'

/** A machine whose instance runs and whose Node core has named. */
function passWith(writing: () => Promise<'done' | 'absent'>): Pass {
  return {
    instance: { state: 'running', capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' },
    machine: { metadata: { namespace: 'default', name: 'm1' }, status: { nodeRef: { name: 'n1' } } },
    cluster: { metadata: { namespace: 'default', name: 'c1' } },
    cloud: { providerIDOf: () => 'aws:///us-east-1a/i-1' },
    deps: { nodes: { write: writing } },
  } as never
}

it.each([
  ['is away', new ApiError({ status: 0, reason: 'Unreachable', message: 'The API server did not answer.' })],
  ['refuses the credentials', new ApiError({ status: 401, reason: 'Unauthorized', message: 'Unauthorized' })],
  ['does not allow it', new ApiError({ status: 403, reason: 'Forbidden', message: 'Forbidden' })],
  ['has no kubeconfig here', new KubeconfigMissing('Secret c1-kubeconfig does not exist.')],
])('a workload cluster that %s fails no pass: the labels come later', async (_, thrown) => {
  expect(
    await label(
      passWith(() => Promise.reject(thrown)),
      quietCtx(),
    ),
  ).toMatchObject({ requeueAfterMs: 30_000 })
})

it('a Node that is not there is looked for again', async () => {
  expect(
    await label(
      passWith(() => Promise.resolve('absent')),
      quietCtx(),
    ),
  ).toMatchObject({ requeueAfterMs: 30_000 })
  expect(
    await label(
      passWith(() => Promise.resolve('done')),
      quietCtx(),
    ),
  ).toBe('done')
})

it.each([new KubeconfigUnread('The management cluster is away.'), new TypeError('a bug')])(
  'what is not the workload cluster’s trouble fails the pass: %s',
  async (thrown) => {
    await expect(
      label(
        passWith(() => Promise.reject(thrown)),
        quietCtx(),
      ),
    ).rejects.toBe(thrown)
  },
)

it.each([
  ['stopping', 'forget'],
  ['terminating', 'forget'],
  ['stopped', 'shownOff'],
  ['terminated', 'shownOff'],
])(
  'a Node whose instance is %s is looked at again when that runs, and is off only if the cloud shows that',
  async (state, call) => {
    const calls: string[][] = []
    const pass = passWith(() => Promise.resolve('done'))
    const noted = (name: string) => (providerID: string) => void calls.push([name, providerID])
    const nodes = { ...pass.deps.nodes, forget: noted('forget'), shownOff: noted('shownOff') }
    const off = { ...pass, instance: { ...pass.instance, state }, deps: { ...pass.deps, nodes } } as Pass
    expect(await label(off, quietCtx())).toBe('done')
    expect(calls).toEqual([[call, 'aws:///us-east-1a/i-1']])
  },
)

it('while the cloud does not show what was bought, the Node gets the labels of what was asked for', async () => {
  const written: NodeWrite[] = []
  const pass = passWith(() => Promise.resolve('done'))
  const nodes = { ...pass.deps.nodes, write: (write: NodeWrite) => Promise.resolve(void written.push(write)) }
  const instance = { ...pass.instance, capacityType: 'OnDemand', instanceType: '', zone: '' }
  const attempt = { offering: 'Spot:m5.large:us-east-1a' }
  await label({ ...pass, instance, attempt, deps: { ...pass.deps, nodes } } as never, quietCtx())
  const key = 'Spot.m5.large.us-east-1a'
  expect(written.map(({ wanted }) => wanted.labels[nodeLabels.pool])).toEqual([key])
})

it.each([
  ['is to be deleted', { act: 'Delete' }, true],
  ['was announced for another instance', { act: 'Delete', instance: 'i-2' }, false],
  ['is only told of', { act: 'Tell' }, false],
])('the Node of a Machine that %s takes no further Pods: %j is %s', async (_, change, isInterrupted) => {
  const written: NodeWrite[] = []
  const pass = passWith(() => Promise.resolve('done'))
  const metadata = {
    ...pass.machine?.metadata,
    annotations: writeInterruption({ ...decided, ...change } as Interruption),
  }
  const noticed = {
    ...pass,
    instance: { ...pass.instance, id: 'i-1' },
    machine: { ...pass.machine, metadata },
    deps: { nodes: { write: (write: NodeWrite) => Promise.resolve(written.push(write)) } },
  } as never
  await label(noticed, quietCtx())
  expect(written.map(({ wanted }) => wanted.isInterrupted)).toEqual([isInterrupted])
})
