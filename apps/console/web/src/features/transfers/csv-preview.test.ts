import { expect, it } from 'vitest'
import { readPreview } from './csv-preview.ts'

it('reads headers and rows by the separator that the first line has most of', () => {
  expect(readPreview('\uFEFFFirst name; E-mail\r\nAda;ada@example.com\r\n\r\nGrace;\r\n')).toEqual({
    header: ['First name', 'E-mail'],
    rows: [
      ['Ada', 'ada@example.com'],
      ['Grace', ''],
    ],
  })
})

it('reads quotes with separators, line breaks and quotes in them', () => {
  expect(readPreview('name,note\n"Byte, Ltd","two\nlines and ""quotes"""\n').rows).toEqual([
    ['Byte, Ltd', 'two\nlines and "quotes"'],
  ])
})

it('shows the first five rows, and nothing of an empty file', () => {
  expect(readPreview(`a\n${'1\n'.repeat(9)}`).rows).toHaveLength(5)
  expect(readPreview('')).toEqual({ header: [], rows: [] })
})

it('ends with a file that breaks off within quotes', () => {
  expect(readPreview('a,b\n"broken').rows).toEqual([['"broken']])
})
