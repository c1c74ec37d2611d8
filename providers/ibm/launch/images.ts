import type { Ctx } from '../../../api/ctx.ts'
import type { ImageFacts, ProfileFacts } from '../lookups/facts.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import type { Looking } from '../lookups/lookups.ts'
import type { IbmWanted } from './wanted.ts'

export interface ImageUse {
  readonly zone: string
  readonly profile: Pick<ProfileFacts, 'name' | 'architecture'>
}

/** The id that the spec names, else the best image of its name. */
export async function imageFor(
  { spec, scope }: Pick<IbmWanted, 'spec' | 'scope'>,
  { zone, profile }: ImageUse,
  lookups: Looking,
  ctx: Ctx,
): Promise<string> {
  const { id, name } = spec.image
  if (id) return id
  if (!name) throw invalid('spec.image of the IBMMachine names no image; set image.id or image.name.')
  const field = 'spec.image.name of the IBMMachine'
  const named = await inField(field, lookups.imagesNamed(name, scope, ctx))
  if (named.length === 0) throw invalid(`${field}: there is no image ${name} in ${scope.region}; correct it.`)
  const fitting = named.filter(({ architecture = profile.architecture }) => architecture === profile.architecture)
  const [best] = bestFirst(fitting.filter((image) => isUsable(image, zone)))
  if (best) return best.id
  throw invalid(
    `${field}: no image ${name} can be used in ${zone} for the ${profile.architecture} of profile ${profile.name}; ` +
      'use another, or wait until it is available there.',
  )
}

function isUsable({ usable }: ImageFacts, zone: string): boolean {
  return usable === 'everywhere' || usable.includes(zone)
}

/** The account's own images first, then the newest. */
function bestFirst(images: readonly ImageFacts[]): ImageFacts[] {
  const rank = ({ isPrivate, created, id }: ImageFacts) => `${isPrivate ? 1 : 0} ${created} ${id}`
  return images.toSorted((a, b) => (rank(a) > rank(b) ? -1 : 1))
}
