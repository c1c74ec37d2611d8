import { AzureAuthorityHosts, DefaultAzureCredential, type TokenCredential } from '@azure/identity'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { unreachable } from '../../wire/socket-codes.ts'
import { sentenceOf } from './sentence.ts'
import type { Environment } from '../variables.ts'

/**
 * The usual credential chain of Azure's clients. Every failure is a `CloudError`, and never ambiguous: without a token
 * Azure was asked nothing.
 */
export function credentialFrom(environment: Environment): TokenCredential {
  let chain: DefaultAzureCredential | undefined
  const ask = async (...[scopes, options]: Parameters<TokenCredential['getToken']>) => {
    try {
      refusePlain(environment)
      chain ??= new DefaultAzureCredential({ disableInstanceDiscovery: hasOwnAuthority(environment) })
      return await chain.getToken(scopes, options)
    } catch (thrown) {
      throw withoutToken(thrown)
    }
  }
  return sharedWhileAsking({ getToken: ask })
}

/** A hundred calls that begin together need one token, and the chain caches only tokens that it has. */
export function sharedWhileAsking(credential: TokenCredential): TokenCredential {
  const asking = new Map<string, ReturnType<TokenCredential['getToken']>>()
  return {
    getToken(scopes, options) {
      // The wishes and the signal of one caller do not go into a shared call.
      if (options?.claims || options?.tenantId) return credential.getToken(scopes, options)
      const key = JSON.stringify(scopes)
      const token =
        asking.get(key) ??
        credential.getToken(scopes).finally(() => {
          asking.delete(key)
        })
      asking.set(key, token)
      return token
    },
  }
}

/** The chain itself would only say that it found no credentials. */
function refusePlain({ AZURE_AUTHORITY_HOST: host }: Environment): void {
  if (!host || host.startsWith('https://')) return
  const message = `AZURE_AUTHORITY_HOST is ${host}; use https, because the manager sends secrets over https only.`
  throw new CloudError('denied', { code: 'BadAuthority', message })
}

/** Microsoft's public authority knows only its own hosts, so another host would fail its discovery. */
function hasOwnAuthority({ AZURE_AUTHORITY_HOST: host }: Environment): boolean {
  if (!host) return false
  const known: readonly string[] = Object.values(AzureAuthorityHosts)
  return !known.includes(host.replace(/\/+$/, ''))
}

interface IdentityError extends Error {
  readonly statusCode?: number
}

const nothingFound =
  'No credentials for Azure were found. Set AZURE_TENANT_ID and AZURE_CLIENT_ID with AZURE_CLIENT_SECRET or ' +
  'AZURE_FEDERATED_TOKEN_FILE, or run the manager with a managed identity.'

export function withoutToken(thrown: unknown): CloudError {
  if (thrown instanceof CloudError) return thrown
  const error = (thrown instanceof Error ? thrown : new Error('Azure gave no token.')) as IdentityError
  const code = /\bAADSTS\d+/.exec(error.message)?.[0] ?? error.name
  const isNone = error.name === 'CredentialUnavailableError' || error.name === 'AggregateAuthenticationError'
  return new CloudError(kindOf(error), { code, message: isNone ? nothingFound : sentenceOf(error.message) })
}

/** 'transient' if the authority failed or could not be reached; else it refuses, and will refuse again. */
function kindOf({ name, message, statusCode = 0 }: IdentityError): RefusalKind {
  if (statusCode >= 500 || name === 'RestError' || name === 'AbortError') return 'transient'
  const words = message.split(/\W+/)
  return words.some((word) => word === 'network_error' || unreachable.has(word)) ? 'transient' : 'denied'
}
