import { inField, invalid } from '../../shared/invalid.ts'
import type { VpcNamed } from '../wire/documents.ts'

/** A thing of IBM as a spec names it. */
type Naming = { readonly id?: string; readonly name?: string }

export type Ids = readonly { readonly id: string }[] | undefined

/** The ids of the resources that a field names. A field with ids only needs no call. */
export async function idsOf(
  given: readonly Naming[] | undefined,
  field: string,
  look: () => Promise<readonly VpcNamed[]>,
): Promise<Ids> {
  if (!given || given.length === 0) return undefined
  const known = given.some(({ id }) => id === undefined) ? await inField(field, look()) : []
  return given.map(({ id, name = '' }) => {
    if (id !== undefined) return { id }
    const [found, another] = known.filter((one) => one.name === name)
    if (!found) throw invalid(`${field}: the name ${name} does not exist; correct it, or use the id.`)
    if (another) throw invalid(`${field}: the name ${name} is not unique; use the id.`)
    return { id: found.id }
  })
}
