import { describe, expect, it } from 'vitest'
import { contentTypeHeader, opensInline, sampleBytes, sniffContentType } from './files.content-type.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const text = Buffer.from('name,phone\nÄrger,1\n')

describe('sniffContentType', () => {
  it.each([
    ['a picture that calls itself a page', png, 'text/html', 'image/png'],
    ['a page that calls itself a picture', Buffer.from('<script>alert(1)</script>'), 'image/png', 'text/plain'],
    [
      'a page that says so',
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      'text/html; charset=utf-8',
      'text/html',
    ],
    [
      'a drawing',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      'image/svg+xml',
      'image/svg+xml',
    ],
    ['a table', text, 'TEXT/CSV', 'text/csv'],
    ['text of an unknown kind', text, 'application/x-anything', 'text/plain'],
    ['text without a kind', text, '', 'text/plain'],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), 'image/png', 'application/pdf'],
    ['bytes that are nothing known', Buffer.from([1, 2, 3, 0, 255]), 'text/plain', 'application/octet-stream'],
    ['text that is not UTF-8', Buffer.from('Gr\xf6\xdfe', 'latin1'), 'text/plain', 'application/octet-stream'],
    ['nothing', Buffer.alloc(0), 'text/csv', 'text/csv'],
  ])('of %s', async (_what, sample, declared, contentType) =>
    expect(await sniffContentType(sample, declared)).toBe(contentType),
  )

  it('takes a text for text when the sample ends within a character', async () => {
    for (const character of ['ö', '日', '😀']) {
      for (let before = 0; before < 4; before++) {
        const sample = Buffer.concat([Buffer.alloc(sampleBytes - before, 'a'), Buffer.from(character)]).subarray(
          0,
          sampleBytes,
        )
        expect(await sniffContentType(sample, 'text/plain')).toBe('text/plain')
      }
    }
  })
})

describe('what opens in the browser', () => {
  it.each(['image/png', 'application/pdf', 'text/plain'])('%s does', (contentType) =>
    expect(opensInline(contentType)).toBe(true),
  )
  it.each([
    'text/html',
    'image/svg+xml',
    'application/xml',
    'text/xml',
    'application/octet-stream',
    'application/json',
    '',
  ])('%s does not', (contentType) => expect(opensInline(contentType)).toBe(false))
  it('is told the encoding of texts', () => {
    expect(contentTypeHeader('text/csv')).toBe('text/csv; charset=utf-8')
    expect(contentTypeHeader('image/png')).toBe('image/png')
  })
})
