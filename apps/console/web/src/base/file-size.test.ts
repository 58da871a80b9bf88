import { describe, expect, it } from 'vitest'
import { describeSize } from './file-size.ts'

describe('describeSize', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [10_240, '10 KB'],
    [25 * 1024 * 1024, '25 MB'],
    [3 * 1024 ** 3, '3 GB'],
    [2048 * 1024 ** 3, '2048 GB'],
  ])('%i bytes are %s', (bytes, words) => expect(describeSize(bytes)).toBe(words))
})
