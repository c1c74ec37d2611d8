import { badField } from '../http/errors.ts'

const most = 64 * 1024

/** Of user data nothing is kept but that there are some, and the name of the cluster where they say it. */
export function checkUserData(
  text: string | undefined,
  usual: string,
): { readonly hasUserData: boolean; readonly clusterName: string } {
  const bytes = Buffer.byteLength(text ?? '')
  if (bytes > most) throw badField('user_data', `The user data must not be larger than ${most} bytes; it has ${bytes}.`)
  return { hasUserData: bytes > 0, clusterName: clusterNameIn(text ?? '') ?? usual }
}

/** The controller of nodes has it from its own configuration; here it stands in a line of its own. */
function clusterNameIn(text: string): string | undefined {
  return /^[ \t]*cluster-name:[ \t]*(["']?)([\w.-]+)\1[ \t]*\r?$/m.exec(text)?.[2]
}
