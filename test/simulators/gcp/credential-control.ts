import { ControlError, verb, type Verb } from '../kit/control.ts'
import type { AcceptedTokens, Credentials, ServiceAccountKey } from './credentials.ts'

/** Who is let in, and with what. */
export interface CredentialControl {
  /** The contents of a key file, with which the vendor's libraries get tokens from this simulator. */
  serviceAccountKey(): ServiceAccountKey
  /** From now on only tokens that the simulator gave out are accepted, or any. */
  acceptTokens(which: AcceptedTokens): void
  /** Tokens that are out are worth nothing from now on. */
  expireTokens(): void
}

/** `url`: of the simulator, once it is known. */
export function credentialControl(credentials: Credentials, url: () => string): CredentialControl {
  return {
    serviceAccountKey: () => credentials.keyFile(url()),
    acceptTokens: (which) => credentials.accept(which),
    expireTokens: () => credentials.endTokens(),
  }
}

/** The same over HTTP. */
export function credentialVerbs(control: CredentialControl): readonly Verb[] {
  return [
    verb({
      name: 'accept-tokens',
      does: 'accepts these access tokens from now on: issued (by POST /token) or any',
      fields: { which: 'text' },
      run: ({ which }) => control.acceptTokens(accepted(which)),
    }),
    verb({
      name: 'expire-tokens',
      does: 'access tokens that are out are worth nothing from now on',
      fields: {},
      run: () => control.expireTokens(),
    }),
  ]
}

function accepted(which: string): AcceptedTokens {
  if (which === 'issued' || which === 'any') return which
  throw new ControlError('"which" must be "issued" or "any".')
}
