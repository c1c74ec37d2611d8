import { expect } from 'vitest'
import { everythingIn } from '../lab/namespace.ts'
import type { Lab } from '../lab/lab.ts'

/** What every secret of a test has in it: as it stands, and in base64 wherever it begins. */
const canaries = /canary|Y2FuYXJ5|NhbmFye|jYW5hcn/

/** With these a cloud lets in whoever shows them. */
const tokens = /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.|\bya29\./

interface Watched {
  readonly namespace: string
  readonly lab: Lab
  /** Where the manager serves its metrics; left out: nowhere. */
  readonly metrics?: string
}

/** Neither the manager nor any object but the Secrets may repeat a secret: no log, no status, no event, no metric. */
export async function expectNoCanary({ namespace, lab, metrics }: Watched): Promise<void> {
  const { client, clouds, ctx, manager } = lab
  const isQuiet = (text: string) => {
    expect(text).not.toMatch(canaries)
    expect(text).not.toMatch(tokens)
    for (const secret of clouds.flatMap(({ secrets = [] }) => secrets)) expect(text).not.toContain(secret)
  }
  isQuiet(manager.logs())
  if (metrics !== undefined) isQuiet(await (await fetch(metrics)).text())
  const texts = Map.groupBy(await everythingIn(namespace, client, ctx), ({ resource }) => resource.kind)
  const { Secret: secrets, ...others } = Object.fromEntries(texts)
  expect(JSON.stringify(secrets), 'where the secrets are').toMatch(canaries)
  for (const [kind, found] of Object.entries(others)) isQuiet(`${kind} ${JSON.stringify(found)}`)
}
