import { describe, expect, it } from 'vitest'
import { pagesOf, piecesOf, shiftTo, spanIn } from './window.ts'

const sight = { top: 100, bottom: 460, rowsTop: 100, rowHeight: 36 }

describe('the window of a list', () => {
  it('draws what is in sight and some rows beside it, and never more than there are', () => {
    expect(spanIn(sight, 1_000)).toEqual({ first: 0, last: 18 })
    expect(spanIn({ ...sight, rowsTop: 100 - 3_600 }, 1_000)).toEqual({ first: 92, last: 118 })
    expect(spanIn({ ...sight, rowsTop: 100 - 36_000 + 360 }, 1_000)).toEqual({ first: 982, last: 1_000 })
    expect(spanIn(sight, 3)).toEqual({ first: 0, last: 3 })
    expect(spanIn(sight, 0)).toEqual({ first: 0, last: 0 })
  })

  it('keeps some rows ready while the list is out of sight', () => {
    expect(spanIn({ ...sight, rowsTop: 5_000 }, 1_000)).toEqual({ first: 0, last: 16 })
  })

  it('fills the gaps, and draws a pinned row wherever it is', () => {
    expect(piecesOf({ first: 2, last: 4 }, 10, [8])).toEqual([
      { skipped: 2, from: 0 },
      { at: 2 },
      { at: 3 },
      { skipped: 4, from: 4 },
      { at: 8 },
      { skipped: 1, from: 9 },
    ])
    expect(piecesOf({ first: 0, last: 2 }, 2, [-1, 1, 7])).toEqual([{ at: 0 }, { at: 1 }])
  })

  it('moves a row into sight, and leaves one that is', () => {
    expect(shiftTo(3, sight)).toBe(0)
    expect(shiftTo(10, sight)).toBe(36)
    expect(shiftTo(0, { ...sight, rowsTop: 28 })).toBe(-72)
  })

  it('asks for the pages that hold the rows', () => {
    expect(pagesOf({ first: 0, last: 20 }, 50)).toEqual([1])
    expect(pagesOf({ first: 40, last: 60 }, 50)).toEqual([1, 2])
    expect(pagesOf({ first: 0, last: 0 }, 50)).toEqual([1])
    expect(pagesOf({ first: 99, last: 101 }, 50)).toEqual([2, 3])
  })
})
