import { describe, expect, it } from 'vitest'
import { checksPage } from './health.ts'

describe('a page of checks', () => {
  it('is 200 while no check objects', () => {
    expect(checksPage({ lease: () => undefined })).toMatchObject({ status: 200, body: '[+] lease\n' })
  })

  it('is 503 with the reason when one does', () => {
    const page = checksPage({ lease: () => 'It was lost.', loop: () => undefined })
    expect(page).toMatchObject({ status: 503, body: '[-] lease: It was lost.\n[+] loop\n' })
  })
})
