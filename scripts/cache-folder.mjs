import { homedir } from 'node:os'
import path from 'node:path'

/** The folder for results that are expensive and the same for every clone. */
export function cacheFolder() {
  const base = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache')
  return path.join(base, 'cluster-api-provider-spot')
}
