import { oneOf, verbsOf, type Verb } from '../../kit/control/verb.ts'
import { acceptedTokens, type AcceptedTokens, type Credentials, type ServiceAccountKey } from '../http/credentials.ts'

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
  const calls = verbsOf(control)
  const does = 'accepts these access tokens from now on: issued (by POST /token) or any'
  return [
    calls('acceptTokens', does, ['which', oneOf(acceptedTokens)]),
    calls('expireTokens', 'access tokens that are out are worth nothing from now on'),
  ]
}
