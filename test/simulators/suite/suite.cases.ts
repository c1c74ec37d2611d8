import { describe } from 'vitest'
import { awsRig } from '../aws/rig.ts'
import { azureRig } from '../azure/rig.ts'
import { gcpRig } from '../gcp/rig.ts'
import { ibmRig } from '../ibm/rig.ts'
import { chaosCases, latencyCases } from './chaos.ts'
import { controlCases, reservationCases } from './control.ts'
import { faultCases, holdCases } from './faults.ts'
import { lifecycleCases } from './lifecycle.ts'
import { nodeCases, restartCases } from './nodes.ts'
import { recordCases } from './record.ts'
import { lagCases, lateCallCases, sightCases } from './sight.ts'
import { foreignCases, spoilCases } from './spoils.ts'
import { bucketCases, capacityCases, pageCases } from './supply.ts'

/** What every simulator does, told once and tried with each. */
const parts = {
  lifecycle: lifecycleCases,
  nodes: nodeCases,
  pages: pageCases,
  sight: sightCases,
  lag: lagCases,
  capacity: capacityCases,
  buckets: bucketCases,
  faults: faultCases,
  holds: holdCases,
  spoils: spoilCases,
  chaos: chaosCases,
  latency: latencyCases,
  record: recordCases,
  control: controlCases,
} as const

describe.each([awsRig, azureRig, gcpRig, ibmRig])('$name', (cloud) => {
  describe.each(Object.entries(parts))('%s', (_, cases) => {
    cases(cloud)
  })
})

// A one-time spot instance of EC2 cannot be started again.
describe.each([azureRig, gcpRig, ibmRig])('$name', (cloud) => {
  restartCases(cloud)
})

// Azure's calls that change something are never as late as its lists. Its client fails when it reads a foreign
// document. Its simulator has no reservations.
describe.each([awsRig, gcpRig, ibmRig])('$name', (cloud) => {
  lateCallCases(cloud)
  foreignCases(cloud)
  reservationCases(cloud)
})
