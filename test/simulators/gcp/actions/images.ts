import { action, parameterOf, type Action } from '../http/action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { notFound } from '../http/errors.ts'
import { gceTime } from '../ids.ts'
import { nameOf } from '../places.ts'
import { linkTo } from '../references.ts'
import { imageFields } from '../http/schemas/catalogue.ts'
import type { Image } from '../world.ts'

function writeImage({ id, name, project, family, architecture, diskSizeGb, created }: Image): Json {
  return {
    kind: 'compute#image',
    id,
    creationTimestamp: gceTime(created),
    name,
    description: 'Ubuntu 24.04 LTS (simulated)',
    sourceType: 'RAW',
    status: 'READY',
    archiveSizeBytes: '1000000000',
    diskSizeGb: String(diskSizeGb),
    family,
    selfLink: linkTo(`projects/${project}/global/images/${name}`),
    architecture,
  }
}

const get = action({
  name: 'images.get',
  method: 'GET',
  path: 'projects/{project}/global/images/{image}',
  answers: imageFields,
  perform({ parameters }, { world }) {
    const project = parameterOf(parameters, 'project')
    const name = nameOf(parameters, 'image')
    const found = world.images.find((one) => one.project === project && (one.name === name || one.id === name))
    if (found) return writeImage(found)
    throw notFound(`projects/${project}/global/images/${name}`)
  },
})

const getFromFamily = action({
  name: 'images.getFromFamily',
  method: 'GET',
  path: 'projects/{project}/global/images/family/{family}',
  answers: imageFields,
  perform({ parameters }, { world }) {
    const project = parameterOf(parameters, 'project')
    const family = nameOf(parameters, 'family')
    const found = world.images.find((one) => one.project === project && one.family === family)
    if (found) return writeImage(found)
    throw notFound(`projects/${project}/global/images/family/${family}`)
  },
})

export const imageActions: readonly Action[] = [getFromFamily, get]
