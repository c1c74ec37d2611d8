import { tagIn } from '../../../providers/shared/instance-name.ts'
import type { RecordedRequest } from '../../simulators/kit/http/journal.ts'

/** For which machine a create call was made, and with which token. Names show only a digest of the machine. */
export interface LaunchCall {
  readonly machine: string
  readonly token: string
}

/** Undefined: it was not our call. */
export function launchOf({ params }: Pick<RecordedRequest, 'params'>): LaunchCall | undefined {
  const name = params['name'] ?? (params['body'] as Readonly<Record<string, unknown>> | undefined)?.['name']
  if (typeof name === 'string') return tagIn(name)
  const token = params['ClientToken']
  const [key] = Object.entries(params).find(([, value]) => value === 'spot.cluster.x-k8s.io/machine') ?? []
  const machine = key && params[key.replace(/Key$/, 'Value')]
  return typeof token === 'string' && typeof machine === 'string' ? { machine, token } : undefined
}
