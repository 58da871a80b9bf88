import { unstorable } from './storable.ts'
import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

describe('JSON', () => {
  it.each([
    ['half of a pair', String.raw`"a\ud800b"`, 'a\ufffdb'],
    ['the other half', String.raw`"a\uDFFFb"`, 'a\ufffdb'],
    ['halves in the wrong order', String.raw`"\udc00\ud800"`, '\ufffd\ufffd'],
    ['a first half before a whole pair', String.raw`"\ud83d\ud83d\ude00"`, '\ufffd😀'],
    ['a whole pair', String.raw`"\ud83d\uDE00"`, '😀'],
    ['what only looks like one', String.raw`"\\ud800 \\\\udc00"`, String.raw`\ud800 \\udc00`],
    ['one after an escaped backslash', String.raw`"\\\ud800"`, '\\\ufffd'],
    ['one in a name', String.raw`{"a\ud800":["\udc00"]}`, { 'a\ufffd': ['\ufffd'] }],
    ['letters below the surrogates', String.raw`"\ud7ff"`, '\ud7ff'],
    ['letters that are apart', '{"e\u0301":["Cafe\u0301", "\u1100\u1161"]}', { 'e\u0301': ['Caf\u00e9', '\uac00'] }],
    ['escaped letters that are apart', String.raw`["Cafe\u0301"]`, ['Caf\u00e9']],
    [
      'a password',
      String.raw`{"password": "e\u0301", "newPassword": "e\u0301"}`,
      { password: 'e\u0301', newPassword: 'e\u0301' },
    ],
    [
      'numbers of all sizes',
      '[0.1, 1e3, -0.30000000000000004, 0.10000000000000001, 9007199254740991, 100000000000000000000, 1.50]',
      [0.1, 1000, -0.30000000000000004, 0.1, 9007199254740991, 1e20, 1.5],
    ],
  ])('with %s has well-formed texts', (_what, json, value) => {
    expect(parseJson(json)).toEqual(value)
  })

  it.each([
    '12345678901234567890',
    '[9007199254740993]',
    '{"n": 1e400}',
    '-12345678901234567.5',
    '0.12345678901234567890',
  ])('%s has a number whose digits would be lost, which is refused with its place', (json) => {
    expect(unstorable(parseJson(json))?.message).toContain('digits')
  })

  it('with the longest number of a body is judged in time', () => {
    const long = `1.${'0'.repeat(1_000_000)}1`
    expect(unstorable(parseJson(`{"n": ${long}}`))?.message).toContain('digits')
  }, 10_000)

  it('that is none is refused as ever', () => {
    expect(() => parseJson(String.raw`"\ud8`)).toThrow(SyntaxError)
    expect(() => parseJson(String.raw`\ud800`)).toThrow(SyntaxError)
  })
})
