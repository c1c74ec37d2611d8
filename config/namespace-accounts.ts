import { readFileSync } from 'node:fs'
import { load, YAMLException } from 'js-yaml'
import type { NamespaceAccounts } from '../api/rules/namespace-accounts.ts'
import { clouds } from '../providers/registry.ts'

const namespacePattern = /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?|\*)$/

/** Empty: every namespace may use every account. Throws a sentence that names the line of an error. */
export function namespaceAccountsIn(file: string): NamespaceAccounts | undefined {
  if (file === '') return undefined
  return parseNamespaceAccounts(textOf(file))
}

export function parseNamespaceAccounts(text: string): NamespaceAccounts {
  const document = documentIn(text)
  if (!isMap(document))
    throw new Error('line 1 does not begin a map; write each namespace as team-a: [aws/111122223333].')
  const bound = Object.entries(document).map(([namespace, accounts]) => {
    const wrong = wrongIn(namespace, accounts)
    if (wrong) throw new Error(`line ${lineOf(text, namespace, wrong.entry)} ${wrong.says}`)
    return [namespace, accounts as string[]] as const
  })
  return new Map(bound)
}

function wrongIn(namespace: string, accounts: unknown): { entry?: string; says: string } | undefined {
  if (!namespacePattern.test(namespace)) return { says: `has "${namespace}", which is not a valid namespace name.` }
  if (!Array.isArray(accounts)) {
    return { says: `has no list for ${namespace}; write ${namespace}: [aws/111122223333], or [] for no account.` }
  }
  for (const entry of accounts as unknown[]) {
    const says = wrongAccount(String(entry))
    if (says) return { entry: String(entry), says }
  }
  return undefined
}

function wrongAccount(entry: string): string | undefined {
  const [cloud = '', account = ''] = entry.split(/\/(.*)/s)
  const pattern = Object.hasOwn(clouds, cloud) ? clouds[cloud as keyof typeof clouds].account : undefined
  if (!pattern) {
    return `has "${entry}"; begin each account with its cloud and a slash: ${Object.keys(clouds).join(', ')}.`
  }
  if (account === '*' || pattern.test(account)) return undefined
  return `has "${entry}", which is not an account id of ${cloud}; write an account id, or ${cloud}/* for all accounts.`
}

function documentIn(text: string): unknown {
  try {
    return load(text)
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown
    throw new Error(`line ${thrown.mark ? thrown.mark.line + 1 : 1} is not valid YAML: ${thrown.reason}.`, {
      cause: thrown,
    })
  }
}

/** The position of the entry as a word of its own, after its namespace. */
function lineOf(text: string, namespace: string, entry = namespace): number {
  const words = text.split('\n').map((line) => line.split(/[\s[\]"',:]+/))
  const from = Math.max(
    words.findIndex((line) => line.find((word) => word !== '') === namespace),
    0,
  )
  const at = words.findIndex((line, index) => index >= from && line.includes(entry))
  return (at < 0 ? from : at) + 1
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    throw new Error(`the file cannot be read (${(thrown as NodeJS.ErrnoException).code ?? 'unknown'}).`, {
      cause: thrown,
    })
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
