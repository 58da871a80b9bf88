import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const console = new URL('../web/src/', import.meta.url).pathname
const booking = new URL('../../booking/web/', import.meta.url).pathname

/** Returns the files of a folder that hold a pattern. */
const filesWith = (folder: string, pattern: RegExp) =>
  globSync('**/*.{ts,tsx,js}', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts') && pattern.test(readFileSync(`${folder}${file}`, 'utf8')))
    .toSorted()

it('every dialog in which people type asks before it loses their text', () => {
  expect(filesWith(console, /<(?:Modal|Drawer)\b/)).toEqual([
    'shell/confirm-dialog.tsx',
    'shell/dialog.tsx',
    'shell/sign-in-again.tsx',
  ])
})

it('no page needs what browsers offer with https alone', () => {
  const ofHttps = /crypto\.(?:randomUUID|subtle)|navigator\.(?:locks|clipboard|serviceWorker)/
  expect(filesWith(console, ofHttps)).toEqual(['base/without-https.ts'])
  expect(filesWith(booking, ofHttps)).toEqual([])
})

it('days are typed in one field, whose order is that of the console', () => {
  expect(filesWith(console, /type="date|'datetime-local'|type="datetime/)).toEqual(['shell/day-input.tsx'])
})
