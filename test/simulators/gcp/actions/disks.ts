import { action, type Action } from '../http/action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import type { Disk } from '../instances/disks.ts'
import { GceError, notFound } from '../http/errors.ts'
import { text } from '../../kit/http/schema.ts'
import { fingerprintOf, gceTime } from '../ids.ts'
import { pathOfInstance } from '../instances/instance.ts'
import { aggregatedList, listIn, type Listing } from '../http/listing.ts'
import { writeOperation } from '../http/operation-json.ts'
import { nameOf, zoneOf } from '../places.ts'
import type { Project } from '../project.ts'
import { linkTo } from '../references.ts'
import { diskFields } from '../http/schemas/catalogue.ts'
import { operationFields } from '../http/schemas/operation.ts'
import type { World } from '../world.ts'
import { checkRequestId } from './instances.ts'

function writeDisk({ id, zone, plan, createdAt, user }: Disk, { project }: World): Json {
  const zonePath = `projects/${project}/zones/${zone.name}`
  return {
    kind: 'compute#disk',
    id,
    creationTimestamp: gceTime(createdAt),
    name: plan.name,
    sizeGb: String(plan.sizeGb),
    zone: linkTo(zonePath),
    status: 'READY',
    selfLink: linkTo(`${zonePath}/disks/${plan.name}`),
    type: linkTo(`${zonePath}/diskTypes/${plan.type}`),
    ...(plan.image && {
      sourceImage: linkTo(`projects/${plan.image.project}/global/images/${plan.image.name}`),
      architecture: plan.image.architecture,
    }),
    ...(user && { users: [linkTo(pathOfInstance(user, project))] }),
    ...(Object.keys(plan.labels).length > 0 && { labels: plan.labels }),
    labelFingerprint: fingerprintOf(plan.labels),
    physicalBlockSizeBytes: '4096',
  }
}

const disks: Listing<Disk> = {
  collection: 'disks',
  resource: 'disks',
  kind: 'compute#disk',
  fields: diskFields,
  items: ({ disks }) => disks.all,
  scopeOf: ({ zone }) => `zones/${zone.name}`,
  nameOf: ({ plan }) => plan.name,
  createdAt: ({ createdAt }) => createdAt,
  write: writeDisk,
}

const path = 'projects/{project}/zones/{zone}/disks/{disk}'

function asked(parameters: Readonly<Record<string, string>>, { world, disks, sight }: Project): Disk {
  const zone = zoneOf(parameters, world).name
  const name = nameOf(parameters, 'disk')
  sight.reach(zone)
  const found = disks.find(zone, name)
  if (found) return found
  throw notFound(`projects/${world.project}/zones/${zone}/disks/${name}`)
}

const get = action({
  name: 'disks.get',
  method: 'GET',
  path,
  answers: diskFields,
  perform: ({ parameters }, project) => writeDisk(asked(parameters, project), project.world),
})

/** Done when it is answered: nothing depends on how long the end of a disk takes. */
const remove = action({
  name: 'disks.delete',
  method: 'DELETE',
  path,
  query: { requestId: text },
  answers: operationFields,
  perform({ parameters, query }, project) {
    const { world, disks, operations, clock } = project
    const requestId = checkRequestId(query.requestId)
    const call = `disks.delete ${parameters['zone']}/${parameters['disk']}`
    const before = operations.ofRequest(call, requestId, clock.now())
    if (before) return writeOperation(before, world)
    const disk = asked(parameters, project)
    const target = `projects/${world.project}/zones/${disk.zone.name}/disks/${disk.plan.name}`
    if (disk.user) {
      const user = pathOfInstance(disk.user, world.project)
      throw new GceError(
        'resourceInUseByAnotherResource',
        `The disk resource '${target}' is already being used by '${user}'`,
      )
    }
    disks.remove(disk)
    const begun = { type: 'delete', zone: disk.zone, user: world.serviceAccount, target, targetId: disk.id, requestId }
    const operation = operations.begin(begun, call, clock.now())
    operations.end(operation, clock.now())
    return writeOperation(operation, world)
  },
})

export const diskActions: readonly Action[] = [get, listIn(disks, 'zones/{zone}'), aggregatedList(disks), remove]
