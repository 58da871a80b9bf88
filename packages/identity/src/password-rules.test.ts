import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findPasswordProblems } from './password-rules.ts'

const owner = { email: 'grace.hopper@acme.test', firstName: 'Grace', lastName: 'Brewster Hopper' }
const rules = { minLength: 10 }
const dir = mkdtempSync(join(tmpdir(), 'crm-passwords-'))
afterAll(() => rmSync(dir, { recursive: true }))

it.each([
  ['correct horse battery', []],
  ['short', ['TOO_SHORT', 'TOO_COMMON']],
  ['кот🦊ёлка🦊', ['TOO_SHORT']],
  ['password123456', ['TOO_COMMON']],
  ['aaaaaaaaaaaaaaaaaaaa', ['TOO_COMMON']],
  ['abcdefghij'.repeat(20), ['TOO_COMMON']],
  ['GRACE likes warm rain', ['CONTAINS_IDENTITY']],
  ['brewstér under a tree', ['CONTAINS_IDENTITY']],
  ['wild grace.hopper moon', ['CONTAINS_IDENTITY']],
])('%j: %j', async (password, problems) => {
  expect(await findPasswordProblems(password, owner, rules)).toEqual(problems)
})

describe('a list of breached passwords', () => {
  const listed = Array.from({ length: 40 }, (_none, n) => `breached and long ${n}`)
  const digests = listed.map((one) => hash('sha1', one, 'hex').toUpperCase()).toSorted()
  const fileOf = (name: string, text: string): string => {
    const file = join(dir, name)
    writeFileSync(file, text)
    return file
  }
  it.each([
    ['plain', digests.join('\n')],
    ['with counts of any length', digests.map((one, n) => `${one}:${10 ** (n % 9)}`).join('\r\n')],
    ['with a last newline', `${digests.join('\n')}\n`],
    ['in small letters', digests.join('\n').toLowerCase()],
  ])('is searched whatever its form: %s', async (name, text) => {
    const breachedFile = fileOf(name, text)
    const problemsOf = (password: string) => findPasswordProblems(password, owner, { ...rules, breachedFile })
    for (const password of listed) expect(await problemsOf(password)).toContain('BREACHED')
    expect(await problemsOf('not among the breached ones')).toEqual([])
  })

  it('may be empty', async () => {
    const breachedFile = fileOf('empty', '')
    expect(await findPasswordProblems('correct horse battery', owner, { ...rules, breachedFile })).toEqual([])
  })

  it('that is missing is an error, never a pass', async () => {
    const breachedFile = join(dir, 'missing')
    await expect(findPasswordProblems('correct horse battery', owner, { ...rules, breachedFile })).rejects.toThrow(
      'ENOENT',
    )
  })
})
