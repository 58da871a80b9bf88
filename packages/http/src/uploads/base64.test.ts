import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Base64Error, decodeBase64, findText } from './base64.ts'

const decoded = (text: string): Buffer => Buffer.concat([...decodeBase64(Buffer.from(text, 'latin1'))])
const found = (json: string, name = 'contentBase64'): string | undefined => {
  const bytes = Buffer.from(json)
  const place = findText(bytes, name)
  return place && bytes.toString('utf8', place.start, place.end)
}

describe('findText', () => {
  it.each([
    ['{"contentBase64":"QUJD"}', 'QUJD'],
    ['{ "filename" : "a\\"b\\\\", "contentBase64" :\n\t"QU\\/JD" , "x": 1 }', 'QU\\/JD'],
    ['{"links":[{"contentBase64":"inner"}],"contentBase64":"outer"}', 'outer'],
    ['{"x":"contentBase64","contentBase64":""}', ''],
    ['{"ü":"contentBase64\\"","contentBase64":"Q"}', 'Q'],
  ])('finds the outermost text in %s', (json, text) => expect(found(json)).toBe(text))

  it.each([
    '{}',
    '',
    '[]',
    '{"contentBase64":1}',
    '{"contentBase64":null}',
    '{"contentBase64":"never ends',
    '["contentBase64","x"]',
    '{"a":{"contentBase64":"x"}}',
    '"contentBase64"',
    '{"contentBase64"',
  ])('finds none in %j', (json) => expect(found(json)).toBeUndefined())

  it('finds what JSON.parse finds, whatever stands around it', () => {
    const texts = ['', 'QUJD', 'a"b', 'back\\slash\\', '\\"', '{"contentBase64":"no"}', 'ü\u0000\n', '[[', '}}']
    for (const other of texts) {
      for (const content of texts) {
        const json = JSON.stringify({
          [`${other}:`]: other,
          list: [other, { contentBase64: other }],
          contentBase64: content,
          last: other,
        })
        expect(JSON.parse(`"${found(json)}"`)).toBe(content)
      }
    }
  })
})

describe('decodeBase64', () => {
  it.each([0, 1, 2, 3, 4, 575, 576 * 1024 - 1, 576 * 1024, 576 * 1024 + 1, 2_000_001])(
    'gives back %i bytes, padded or not, in lines, with escaped slashes',
    (size) => {
      const content = createHash('shake256', { outputLength: size }).digest()
      const text = content.toString('base64')
      expect(decoded(text).equals(content)).toBe(true)
      expect(decoded(text.replace(/=+$/, '')).equals(content)).toBe(true)
      expect(decoded(text.replaceAll('/', '\\/')).equals(content)).toBe(true)
      expect(decoded(text.replaceAll(/.{76}/g, '$&\\r\\n')).equals(content)).toBe(true)
    },
  )

  it('finds the way over escapes at every border of a slice', () => {
    for (let before = 0; before < 9; before++) {
      const text = `${'A'.repeat(768 * 1024 - 8 + before)}\\/\\u002f\\/${'A'.repeat(8)}`
      const plain = JSON.parse(`"${text}"`) as string
      const whole = plain.slice(0, plain.length - (plain.length % 4))
      const cut = plain.length - whole.length
      expect(decoded(cut === 0 ? text : text.slice(0, -cut)).equals(Buffer.from(whole, 'base64'))).toBe(true)
    }
  })

  it.each(['A', 'AAAAA', '====', 'QQ=', 'QUJD!', 'QU JD*', 'ÄÄÄÄ', 'Q=Q=', 'QUI=QUI=', 'QUJD\\', 'QU\\xJD', '-_-_'])(
    'refuses %j',
    (text) => expect(() => decoded(text)).toThrow(Base64Error),
  )
})
