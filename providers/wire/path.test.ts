import { describe, expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import { pathOf } from './path.ts'

describe('a path', () => {
  it('is its segments, each encoded', () => {
    expect(pathOf(['projects', 'example.com:p', 'zones', 'us-central1-a'])).toBe(
      'projects/example.com%3Ap/zones/us-central1-a',
    )
    expect(pathOf(['Größe (1)'])).toBe('Gr%C3%B6%C3%9Fe%20(1)')
  })

  it.each(['', '.', '..', 'a/b', 'a\\b', 'a?b', 'a#b', 'a%2Fb', '%2e%2e', 'a\nb', 'a\u0000', '\ud800'])(
    'has no segment %j, which servers could read as another path',
    (segment) => {
      let thrown: unknown
      try {
        pathOf(['instances', segment])
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(CloudError)
      expect(thrown).toMatchObject({ kind: 'invalid', code: 'InvalidPath' })
    },
  )
})
