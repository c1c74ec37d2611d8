import { GoogleAuth } from 'google-auth-library'
import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { unlessAborted } from '../../../api/unless-aborted.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { givenUp } from '../../errors.ts'
import { unreachable } from '../../wire/socket-codes.ts'

/** The time for a token. Local files take none; a metadata server may be no more than an address. */
const timeoutMs = 15_000
const scope = 'https://www.googleapis.com/auth/cloud-platform'

/** Every call names its project. Without this the library would look for one, even by running gcloud. */
const notAsked = 'not-asked'

/**
 * The parts of the library's errors that are safe to read: the message may quote credentials that it could not read.
 */
interface LibraryError {
  readonly code?: unknown
  readonly response?: { readonly status?: unknown }
}

/**
 * The library's default chain: GOOGLE_APPLICATION_CREDENTIALS, gcloud's own file, the metadata server. With the key of
 * a service account tokens are signed here, without a token endpoint, as in Google's own clients.
 */
export class Credentials {
  #auth: GoogleAuth | undefined

  /** The headers that go with a call. */
  async headers(ctx: Ctx): Promise<Record<string, string>> {
    using deadline = new Deadline(timeoutMs, () => new Error('Google gave no token in time.'), ctx)
    try {
      // The library takes no signal.
      return Object.fromEntries(await unlessAborted(this.#library().getRequestHeaders(), deadline.signal))
    } catch (thrown) {
      if (ctx.signal.aborted) throw givenUp(ctx.signal)
      this.forget()
      const error = toCloudError(deadline.isOver ? { code: 'ETIMEDOUT' } : (thrown as LibraryError))
      ctx.log.debug('Google gave no token', { code: error.code })
      throw error
    }
  }

  /** The next call reads the files and variables anew. */
  forget(): void {
    this.#auth = undefined
  }

  #library(): GoogleAuth {
    if (!this.#auth) {
      this.#auth = new GoogleAuth({ scopes: [scope], projectId: notAsked })
      this.#auth.useJWTAccessWithScope = true
    }
    return this.#auth
  }
}

function toCloudError({ code, response }: LibraryError): CloudError {
  const status = typeof response?.status === 'number' ? response.status : undefined
  const why = status === undefined ? (typeof code === 'string' ? code : 'none were found') : `HTTP ${status}`
  const isPassing = status === undefined ? unreachable.has(why) : status >= 500 || status === 429
  return new CloudError(isPassing ? 'transient' : 'denied', {
    code: isPassing ? 'CredentialsUnavailable' : 'CredentialsNotUsable',
    message:
      `The manager has no credentials for Google Cloud (${why}). Set GOOGLE_APPLICATION_CREDENTIALS, or give the pod or the ` +
      'machine a service account.',
  })
}
