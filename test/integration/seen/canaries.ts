import { expect } from 'vitest'
import { everythingIn } from '../../lab/namespace.ts'
import type { Lab } from '../../lab/lab.ts'

/** The mark in every secret of a test: plain, and in base64 at each offset. */
const canaries = /canary|Y2FuYXJ5|NhbmFye|jYW5hcn/

/** A cloud accepts these from any sender. */
const tokens = /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.|\bya29\./

interface Watched {
  readonly namespace: string
  readonly lab: Lab
  /** The address of the manager's metrics; left out: none. */
  readonly metrics?: string
}

/** Neither the manager nor an object, except the Secrets, may repeat a secret: no log, status, event or metric. */
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
