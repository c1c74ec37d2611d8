import { expect, test } from 'vitest'
import { refusalOf, startGce } from './fixture.ts'

test.each([
  ['forbidden', 403],
  ['quotaExceeded', 403],
  ['notFound', 404],
  ['alreadyExists', 409],
  ['internalError', 500],
  ['backendError', 503],
  ['resourcePoolExhausted', 503],
  ['somethingNew', 400],
])('%s comes with %s', async (code, status) => {
  await using gce = await startGce()
  await gce.control('fail-next', { action: 'instances.insert', code })
  expect(await refusalOf(gce.insert())).toMatchObject({ code, status })
})
