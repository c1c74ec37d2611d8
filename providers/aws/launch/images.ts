import type { Ctx } from '../../../api/ctx.ts'
import type { ImageFacts, TypeFacts } from '../lookups/facts.ts'
import { inField, invalid } from '../../shared/invalid.ts'
import { instanceTypeFor } from '../lookups/instance-type.ts'
import type { ImageQuery, Looking } from '../lookups/lookups.ts'
import type { AwsWanted } from './wanted.ts'

/** The images that Cluster API publishes for AWS, and how it names them. */
const usual = {
  format: 'capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*',
  owner: '819546954734',
  baseOS: 'ubuntu-24.04',
}

/** An image by its id. Facts undefined: the account sees no such image in the region. */
export interface ChosenImage {
  readonly id: string
  readonly facts: ImageFacts | undefined
}

/** The image that the spec names, else the newest that its lookup fields describe. */
export async function imageFor(wanted: AwsWanted, lookups: Looking, ctx: Ctx): Promise<ChosenImage> {
  const { spec, scope } = wanted
  const named = spec.ami?.id
  if (named) return { id: named, facts: await lookups.image(named, scope, ctx) }
  const { architecture } = await instanceTypeFor(spec.instanceType, scope, lookups, ctx)
  const query = imageQuery(wanted, architecture)
  const image = await inField(
    'spec.imageLookupFormat of the AWSMachine or AWSCluster',
    lookups.newestImage(query, scope, ctx),
  )
  if (image) return { id: image.id, facts: image }
  throw invalid(
    `No image: account ${query.owner} has no image ${query.name} for ${query.architecture} in ${scope.region}. ` +
      'Set spec.ami.id of the AWSMachine, or correct spec.imageLookupFormat, imageLookupOrg and imageLookupBaseOS of ' +
      'the AWSMachine or AWSCluster.',
  )
}

/** The machine's fields come before the cluster's, and those before the usual ones. */
export function imageQuery(
  { spec, cluster, version }: Pick<AwsWanted, 'spec' | 'cluster' | 'version'>,
  architecture: TypeFacts['architecture'],
): ImageQuery {
  const format = spec.imageLookupFormat ?? cluster.imageLookupFormat ?? usual.format
  const parts: Readonly<Record<string, string | undefined>> = {
    BaseOS: spec.imageLookupBaseOS ?? cluster.imageLookupBaseOS ?? usual.baseOS,
    K8sVersion: version?.replace(/^v/, ''),
  }
  const name = format.replaceAll(/\{\{ *\.(BaseOS|K8sVersion) *\}\}/g, (_, part: string) => {
    const text = parts[part]
    if (text !== undefined) return text
    throw invalid('No image: set spec.ami.id of the AWSMachine, or spec.version of the Machine to look one up.')
  })
  return { owner: spec.imageLookupOrg ?? cluster.imageLookupOrg ?? usual.owner, name, architecture }
}
