import { requests } from '../../api/labels.ts'
import type { NoticeSource } from '../../api/notice.ts'
import type { CloudName } from '../../api/scope.ts'
import { startAzureMetadata } from '../../test/simulators/metadata/azure.ts'
import { startGceMetadata } from '../../test/simulators/metadata/gce.ts'
import type { MetadataOptions } from '../../test/simulators/metadata/instance.ts'

interface MetadataService {
  readonly url: string
  close(): Promise<void>
}

/** How a cloud announces the end of an instance, and how the manager learns of it. */
export interface Way {
  /** How long the instance runs on. */
  readonly noticeMs: number
  readonly source: NoticeSource
  readonly learnt: string
  /** The service inside the machine that its agent reads. Left out: there is no agent. */
  readonly metadata?: (id: string, options: MetadataOptions) => Promise<MetadataService>
}

const agent = {
  source: 'Agent',
  learnt: 'The node agent read it in the metadata of the machine, and the manager in a condition of the Node',
} as const

export const ways: Readonly<Record<CloudName, Way>> = {
  aws: {
    noticeMs: 120_000,
    source: 'SpotRequests',
    learnt: 'The manager read it in the status of the spot request',
  },
  // The shortest notice of Azure.
  azure: { ...agent, noticeMs: 30_000, metadata: (name, options) => startAzureMetadata({ ...options, name }) },
  gcp: { ...agent, noticeMs: 120_000, metadata: (_, options) => startGceMetadata(options) },
  ibm: {
    noticeMs: 120_000,
    source: 'Annotation',
    learnt: `This was a rehearsal: the Machine got the annotation ${requests.rehearse}`,
  },
}

/** IBM Cloud gives no notice. */
export function isRehearsal({ source }: Way): boolean {
  return source === 'Annotation'
}

/** GCE gives notice only where it is asked to. */
export const noticeOfGce = { preemptionNoticeDuration: '120s' } as const
