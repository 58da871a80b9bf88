import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addPass, lastPass } from './passes.ts'

const empty = '# Passes\n\n| day | commit | seed |\n|---|---|---|\n'
const pass = (day: string) => ({ day, commit: 'abc', seed: '7' })

it('tells the newest pass, and of none that there is none', () => {
  expect(lastPass(empty)).toBe('never')
  const record = addPass(addPass(empty, pass('2026-01-01')), pass('2026-02-01'))
  expect(lastPass(record)).toBe('on 2026-02-01 at abc')
  expect(record).toBe(`${empty}| 2026-02-01 | abc | 7 |\n| 2026-01-01 | abc | 7 |\n`)
})

it('keeps twenty', () => {
  const days = Array.from({ length: 25 }, (_, at) => `2026-01-${at + 10}`)
  const record = days.reduce((text, day) => addPass(text, pass(day)), empty)
  expect(record.split('\n').filter((line) => line.startsWith('| 2026'))).toHaveLength(20)
  expect(lastPass(record)).toBe('on 2026-01-34 at abc')
})

it('reads the record of the project', () =>
  expect(lastPass(readFileSync(new URL('../../docs/releases/test-deep.md', import.meta.url), 'utf8'))).toMatch(
    /^never$|^on \d{4}-\d\d-\d\d at \S+$/,
  ))
