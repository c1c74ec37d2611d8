import { invalid } from '../../shared/invalid.ts'
import type { GcpWanted } from './wanted.ts'

/** The image that the instance boots from. GCE itself finds the newest image of a family. */
export function imageFor({ spec, scope, version }: GcpWanted): string {
  if (spec.image) return spec.image
  if (spec.imageFamily) return spec.imageFamily
  const [, minor] = /^v?(\d+\.\d+)\./.exec(version ?? '') ?? []
  if (minor === undefined) {
    throw invalid(
      'No image: set spec.image or spec.imageFamily of the GCPMachine, or spec.version of the Machine, for which the ' +
        "project's own image of Cluster API is taken.",
    )
  }
  return `projects/${scope.account}/global/images/family/capi-ubuntu-2404-k8s-v${minor.replace('.', '-')}`
}
