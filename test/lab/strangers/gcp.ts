import { ownershipLabels } from '../../../providers/gcp/observe/ownership.ts'
import { instanceName } from '../../../providers/shared/instance-name.ts'
import type { Launch } from '../../../providers/instances.ts'
import type { Ownership } from '../../../api/ownership.ts'
import { usualInsert } from '../../simulators/gcp/fixture.ts'
import type { GcpSimulator } from '../../simulators/gcp/simulator.ts'
import type { Strangers } from './strangers.ts'

export function gcpStrangers(simulator: GcpSimulator): Strangers {
  const { url, facts } = simulator
  const instances = `${url}/compute/v1/projects/${facts.project}/zones/${facts.zones[0]}/instances`
  const call = async (method: string, address: string, body?: object): Promise<{ targetId?: string }> => {
    const headers = { authorization: 'Bearer somebody' }
    const answer = await fetch(address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { targetId?: string }
  }
  const insert = async (name: string, over: object) => {
    const { targetId = '' } = await call('POST', instances, { ...usualInsert(simulator), name, labels: {}, ...over })
    return targetId
  }
  return {
    instance: (whose) => insert(nameOf(whose), { labels: labelsOf(whose) }),
    // GCE copies the labels, and the user of a copy chooses another name.
    copy: (whose) => insert(`copy-of-${whose.machine.split('/')[1]}`, { labels: labelsOf(whose) }),
    byHand: (name) => insert(name, {}),
    async leftovers(whose) {
      const [boot] = usualInsert(simulator)['disks'] as object[]
      await insert(nameOf(whose), { labels: labelsOf(whose), disks: [{ ...boot, autoDelete: false }] })
      await call('DELETE', `${instances}/${nameOf(whose)}`)
    },
  }
}

function nameOf(whose: Ownership): string {
  return instanceName(whose) ?? ''
}

function labelsOf(whose: Ownership): Record<string, string> {
  return ownershipLabels({ ...whose, clusterName: 'c1' } as Launch, {})
}
