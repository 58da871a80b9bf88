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
  ])('with %s has well-formed texts', (_what, json, value) => {
    expect(parseJson(json)).toEqual(value)
  })

  it('that is none is refused as ever', () => {
    expect(() => parseJson(String.raw`"\ud8`)).toThrow(SyntaxError)
    expect(() => parseJson(String.raw`\ud800`)).toThrow(SyntaxError)
  })
})
