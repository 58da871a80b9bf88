import { expect, it } from 'vitest'
import { findSlowExpressions } from './check-expressions.ts'

const found = (code: string, isTest = false) =>
  findSlowExpressions([{ path: 'apps/x/src/a.ts', source: code, owner: 'apps/x', isTest }])

it.each([
  String.raw`digits.replace(/0+$/, '')`,
  String.raw`text.split(/\s*,\s*/)`,
  String.raw`/^\s*(\d+\.?\d*)\s*$/.test(text)`,
  String.raw`/^(\w+)*$/.test(text)`,
  String.raw`/^-?\s*(\w{1,4})?\s*\d/.test(text)`,
])('refuses %s', (code) => {
  expect(found(code)).toEqual([expect.stringMatching(/^apps\/x\/src\/a\.ts:1 has \//)])
})

it.each([
  String.raw`digits.replace(/(?<!0)0+$/, '')`,
  String.raw`text.split(',')`,
  String.raw`/^\s*(\d+(?:\.\d*)?)\s*$/.test(text)`,
  String.raw`/^\w+$/.test(text)`,
])('takes %s', (code) => {
  expect(found(code)).toEqual([])
})

it('leaves tests alone', () => {
  expect(found(String.raw`text.split(/\s*,\s*/)`, true)).toEqual([])
})
