import { expect } from 'vitest'
import { everythingIn } from '../lab/namespace.ts'
import type { Lab } from '../lab/lab.ts'

/** What every secret of a test has in it: as it stands, and in base64 wherever it begins. */
const canaries = /canary|Y2FuYXJ5|NhbmFye|jYW5hcn/

/** Neither the manager nor any object but the Secrets may repeat a secret: no log, no status, no annotation, no event. */
export async function expectNoCanary({ namespace, lab }: { namespace: string; lab: Lab }): Promise<void> {
  const { client, ctx, manager } = lab
  expect(manager.logs()).not.toMatch(canaries)
  const texts = Map.groupBy(await everythingIn(namespace, client, ctx), ({ resource }) => resource.kind)
  const { Secret: secrets, ...others } = Object.fromEntries(texts)
  expect(JSON.stringify(secrets), 'where the secrets are').toMatch(canaries)
  for (const [kind, found] of Object.entries(others)) expect(`${kind} ${JSON.stringify(found)}`).not.toMatch(canaries)
}
