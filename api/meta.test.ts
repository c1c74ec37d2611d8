import { describe, expect, it, vi } from 'vitest'
import { parseOnce } from './meta.ts'

describe('parseOnce', () => {
  it('parses the text of an object once', () => {
    const parse = vi.fn<(text: string) => object>((text) => ({ text }))
    const read = parseOnce(parse)
    const object = {}
    expect(read(object, 'a')).toBe(read(object, 'a'))
    expect(parse).toHaveBeenCalledTimes(1)
  })

  it('parses a new text of the same object, and the same text of another object', () => {
    const read = parseOnce((text) => ({ text }))
    const object = {}
    read(object, 'a')
    expect(read(object, 'b')).toEqual({ text: 'b' })
    expect(read({}, 'b')).not.toBe(read(object, 'b'))
  })

  it('remembers that a text is nothing', () => {
    const parse = vi.fn<(text: string) => undefined>(() => undefined)
    const read = parseOnce(parse)
    const object = {}
    read(object, 'a')
    read(object, 'a')
    expect(parse).toHaveBeenCalledTimes(1)
  })
})
