import { describe, expect, it } from 'vitest'
import { decidePart, matchesTag } from './files.ranges.ts'

describe('decidePart of 10 bytes', () => {
  it.each([
    [undefined, 'WHOLE'],
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-4', { start: 2, end: 4 }],
    ['bytes=8-99', { start: 8, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes = 1 - 2', { start: 1, end: 2 }],
    ['bytes=10-', 'OUTSIDE'],
    ['bytes=99-100', 'OUTSIDE'],
    ['bytes=-0', 'OUTSIDE'],
    ['bytes=4-2', 'WHOLE'],
    ['bytes=-', 'WHOLE'],
    ['bytes=0-1,3-4', 'WHOLE'],
    ['lines=0-1', 'WHOLE'],
    ['bytes=a-b', 'WHOLE'],
  ])('%j gets %j', (header, part) => expect(decidePart(header, 10)).toEqual(part))

  it('of nothing has no range', () => {
    expect(decidePart('bytes=0-', 0)).toBe('OUTSIDE')
    expect(decidePart('bytes=-1', 0)).toBe('OUTSIDE')
  })
})

describe('matchesTag', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    [undefined, false],
  ])('%j: %s', (header, matches) => {
    expect(matchesTag(header, '"a"')).toBe(matches)
  })
})
