import { CloudError } from '../../api/cloud-error.ts'

/**
 * The tokens of the pages of one list. A token that was there before would lead round for ever, while the items pile up
 * in memory.
 */
export class PageTokens {
  readonly #seen = new Set<string>()

  /** Where the list goes on; undefined: that was the last page. */
  next(token: string | undefined): string | undefined {
    if (!token) return undefined
    if (this.#seen.has(token)) {
      const message = 'A page of the list links to a page that was read before; the manager does not use the list.'
      throw new CloudError('transient', { code: 'EndlessList', message })
    }
    this.#seen.add(token)
    return token
  }
}
