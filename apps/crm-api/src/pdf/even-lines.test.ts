import { create } from 'fontkit'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withHeightsOf } from './even-lines.ts'
import { fonts, usualFont, type FontName } from './fonts.ts'
import { unpackWoff } from './unpack-woff.ts'

const usual = readFileSync(fonts[usualFont].normal)
const heightsOf = (font: Buffer): number[] => {
  const { ascent, descent, lineGap, unitsPerEm } = create(font)
  return [ascent, descent, lineGap].map((height) => Math.round((height / unitsPerEm) * 100))
}

it.each(Object.keys(fonts) as FontName[])('%s gets the heights of the usual font, and keeps its letters', (name) => {
  const font = unpackWoff(readFileSync(fonts[name].normal))
  const even = withHeightsOf(usual, font)
  expect(heightsOf(even)).toEqual(heightsOf(usual))
  expect(create(even).characterSet).toEqual(create(font).characterSet)
})

it('changes no font that it is given', () => {
  const font = unpackWoff(readFileSync(fonts.Thai.normal))
  const before = Buffer.from(font)
  withHeightsOf(usual, font)
  expect(font.equals(before)).toBe(true)
  expect(heightsOf(font)).not.toEqual(heightsOf(usual))
})
