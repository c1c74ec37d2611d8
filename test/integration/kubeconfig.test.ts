import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, it } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import type { ExternalControlPlane } from '../../api/generated/external-control-plane.ts'
import { externalControlPlanes } from '../../api/kinds.ts'
import { eventually } from '../lab/eventually.ts'
import { everythingIn } from '../lab/namespace.ts'
import { expectNoCanary } from './seen/canaries.ts'
import { readyOf } from './rigs/cloud-cluster.ts'
import { SpotRig } from './rigs/spot-rig.ts'

const secret = 'c1-kubeconfig'

// A test here mostly waits, so they run together.
it.concurrent('no kubeconfig Secret: a condition names it, machines run all the same, and with it the cluster is available', async () => {
  await using rig = await SpotRig.start(inject('cluster'))
  await rig.applyExamples(1)
  const bringBack = await rig.takeSecretAway(secret)
  await rig.startManager(['--log-level', 'trace'])
  await isMissing(rig)
  await eventually('the machine runs', async () => {
    expect((await rig.awsMachines()).map((machine) => readyOf(machine)?.reason)).toEqual(['Running'])
  })
  await expectQuiet(rig)

  await bringBack()
  await eventually('it is available', async () => expect((await available(rig))?.status).toBe('True'))
})

it.concurrent('the kubeconfig Secret is deleted later: a condition names it, and the cluster can be deleted', async () => {
  await using rig = await SpotRig.start(inject('cluster'))
  await rig.startManager()
  await rig.applyExamples(1)
  await rig.running(1)
  await rig.takeSecretAway(secret)
  await rig.lab.manager.stop()
  await rig.startManager(['--log-level', 'trace'])
  await isMissing(rig)
  expect((await rig.awsMachines()).map((machine) => readyOf(machine)?.reason)).toEqual(['Running'])
  await expectQuiet(rig)

  await rig.deleteCluster()
  expect(rig.alive()).toEqual([])
})

const server = { server: 'https://127.0.0.1:1' }

it.concurrent.each([
  {
    what: 'runs a command',
    poison: (marker: string) => {
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [marker] }
      return { user: { exec: { ...exec, interactiveMode: 'Never', env: [{ name: 'KEY', value: 'exec-canary' }] } } }
    },
    says: 'exec',
  },
  {
    what: 'runs the command of an auth provider',
    poison: (marker: string) => {
      const config = { 'cmd-path': 'touch', 'cmd-args': marker, 'access-token': 'gcp-canary' }
      return { user: { 'auth-provider': { name: 'gcp', config } } }
    },
    says: 'auth-provider',
  },
  {
    what: 'reads a token from a file',
    poison: (marker: string) => ({ user: { tokenFile: marker } }),
    says: 'tokenFile',
  },
  {
    what: 'reads a certificate from a file',
    poison: (marker: string) => ({
      cluster: { ...server, 'certificate-authority': marker },
      user: { token: 'canary' },
    }),
    says: 'certificate-authority',
  },
  {
    what: 'is no kubeconfig',
    poison: () => ({ text: '{"users": "token-canary"' }),
    says: 'kubeconfig',
  },
])('a kubeconfig that $what: a condition says so, and nothing is run, read or repeated', async ({ poison, says }) => {
  await using rig = await SpotRig.start(inject('cluster'))
  const marker = path.join(rig.lab.folder, 'marker')
  await rig.startManager(['--log-level', 'trace'])
  await rig.applyExamples(1, { WORKLOAD_KUBECONFIG_B64: encoded(poison(marker)) })
  await eventually('the condition says so', async () => {
    expect(await available(rig)).toMatchObject({ status: 'False', reason: 'KubeconfigNotSupported' })
    expect((await available(rig))?.message).toContain(says)
  })
  await eventually('the machine runs', async () => {
    expect((await rig.awsMachines()).map((machine) => readyOf(machine)?.reason)).toEqual(['Running'])
  })
  await expectQuiet(rig)
  expect(existsSync(marker)).toBe(false)
  await rig.deleteCluster()
  expect(rig.alive()).toEqual([])
})

interface Poison {
  readonly user?: object
  readonly cluster?: object
  /** Instead of a kubeconfig. */
  readonly text?: string
}

function encoded({ user = {}, cluster = server, text }: Poison): string {
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    clusters: [{ name: 'x', cluster }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    users: [{ name: 'x', user }],
  }
  return Buffer.from(text ?? JSON.stringify(kubeconfig)).toString('base64')
}

async function isMissing(rig: SpotRig): Promise<void> {
  await eventually('the control plane names the Secret', async () => {
    expect(await available(rig)).toMatchObject({ status: 'False', reason: 'KubeconfigMissing' })
    expect((await available(rig))?.message).toContain(secret)
  })
}

async function available(rig: SpotRig): Promise<Condition | undefined> {
  const [controlPlane] = await rig.list<ExternalControlPlane>(externalControlPlanes)
  return findCondition(controlPlane?.status?.conditions, 'Available')
}

/** Nothing is written while nothing changes, and no message repeats a secret. */
async function expectQuiet(rig: SpotRig): Promise<void> {
  const versions = async () => {
    const found = await everythingIn(rig.namespace, rig.lab.client, rig.lab.ctx)
    const ours = found.filter(({ resource }) => resource.group === 'spot.cluster.x-k8s.io')
    return ours.map(({ resource, object: { metadata: m } }) => `${resource.kind} ${m.name} ${m.resourceVersion}`)
  }
  await rig.afterPolls(2)
  const before = await versions()
  await rig.afterPolls(10)
  expect(await versions()).toEqual(before)
  await expectNoCanary(rig)
}
