import { expect, it } from 'vitest'
import { quoted, textValue, writeLines } from './ical-lines.ts'

it('folds lines at 75 octets, between characters, so that unfolding gives them back', () => {
  const line = `SUMMARY:${'Grüße 🦊 '.repeat(30)}`
  const written = writeLines([line, 'END:VEVENT'])
  const lines = written.split('\r\n')
  expect(Math.max(...lines.map((one) => Buffer.byteLength(one)))).toBeLessThanOrEqual(75)
  expect(written.replaceAll('\r\n ', '')).toBe(`${line}\r\nEND:VEVENT\r\n`)
  expect(written).not.toContain('\uFFFD')
})

it('keeps values in their place', () => {
  expect(textValue('a;b,c\\d\r\ne\nf\u0007')).toBe(String.raw`a\;b\,c\\d\ne\nf`)
  expect(quoted('Ada "the ^" Admin\r\nX:y')).toBe(`"Ada ^'the ^^^' Admin X:y"`)
})
