import { homedir } from 'node:os'
import path from 'node:path'

/** Where this project keeps what is costly to make and the same for every clone. */
export function cacheFolder() {
  const base = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache')
  return path.join(base, 'cluster-api-provider-spot')
}
