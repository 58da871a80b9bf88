import { createDatabase, createPool } from '@crm/db'
import { testDatabase } from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { foldedInSql } from './privacy.folding.ts'
import { wordsOf } from './privacy.terms.ts'
import { candidatePattern, erasedText, folded, withoutWords } from './privacy.words.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-words' })
const db = createDatabase(pool)
afterAll(() => pool.end())

const nobody = { type: 'CONTACT', id: '', firstName: null, lastName: null, emails: [], phones: [] } as const
const person = (firstName: string, lastName: string) => wordsOf({ ...nobody, firstName, lastName })

const spellings: readonly (readonly [first: string, last: string, spelling: string])[] = [
  ['İlker', 'İpekçi', 'ilker ipekçi'],
  ['İlker', 'İpekçi', 'İLKER İPEKÇİ'],
  ['Işıl', 'Sarı', 'IŞIL SARI'],
  ['Ὀδυσσεύς', 'Λαέρτης', 'ΟΔΥΣΣΕΥΣ ΛΑΕΡΤΗΣ'],
  ['Zoë', 'Café'.normalize('NFC'), 'Zoë Café'.normalize('NFD')],
  ['Zoë'.normalize('NFD'), 'Café', 'ZOË CAFÉ'.normalize('NFC')],
  ['Anna', 'Groß', 'ANNA GROSS'],
  ['Anna', 'Gross', 'Anna Groß'],
  ['Anna', 'GROẞ', 'anna groß'],
  ['Jean-Luc', "O'Hara", "JEAN-LUC O'HARA"],
  ['María José', 'Núñez', 'Maria  José\u00a0Nuñez'],
  ['अदिति', 'शर्मा', 'अदिति शर्मा'],
  ['Ada', 'Quixworth', 'Quixworth, Ada'],
  ['Ada', 'Quixworth', 'QUIXWORTH ADA'],
  ['Σοφία', 'Σεφέρης', 'σοφία σεφέρης'],
  ['Đặng', 'Nguyễn', 'ĐẶNG NGUYỄN'.normalize('NFD')],
]

/** Whether the statement of an erasure would read a text. */
async function isCandidate(text: string, words: ReturnType<typeof person>): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(
    sql`SELECT ${foldedInSql(sql`${text}::text`)} ~ ${candidatePattern(words)} AS found`,
  )
  return rows[0]?.found === true
}

describe('the name of a person', () => {
  it.each(spellings)('%s %s is found as %s, in prose and in JSON', async (first, last, spelling) => {
    const words = person(first, last)
    const clean = withoutWords(words)
    expect(clean(`Call ${spelling}, today; ${spelling}`)).toBe(`Call ${erasedText}, today; ${erasedText}`)
    expect(clean({ note: [`with ${spelling}.`], n: 1 })).toEqual({ note: [`with ${erasedText}.`], n: 1 })
    expect(await isCandidate(`Call ${spelling} today`, words)).toBe(true)
    expect(await isCandidate(JSON.stringify({ note: spelling }), words)).toBe(true)
  })

  it.each(['Adam Quixworth', 'Ada Quixworthy', 'Nada Quixworth', 'Ada', 'Quixworth', 'Ada B. Quixworth'])(
    'is not found in %s',
    (text) => expect(withoutWords(person('Ada', 'Quixworth'))(text)).toBe(text),
  )

  it('is looked for only as a whole', () => {
    for (const name of ['argon2id', 'VIEW_LEAD', 'OPEN'])
      expect(
        wordsOf({ ...nobody, firstName: name }).names.concat(wordsOf({ ...nobody, lastName: name }).names),
      ).toEqual([])
    expect(person('.*', '[').names).toEqual([])
  })

  it('keeps everything around it', () => {
    const text = 'Straße — “Zoë” \u{1F600} e\u0301'
    expect(withoutWords(person('Ada', 'Quixworth'))(`${text} Ada Quixworth ${text}`)).toBe(`${text} (erased) ${text}`)
  })
})

describe('addresses and numbers', () => {
  const words = wordsOf({ ...nobody, emails: ['ada.q@quixworth.example'], phones: ['+4915199887766', '123'] })
  it.each(['ADA.Q@Quixworth.example', '+49 151 998 877 66', '+49 (151) 99887766', '49-151-99-88-77-66'])(
    'are found as %s',
    async (spelling) => {
      expect(withoutWords(words)(`to ${spelling};`)).toBe('to (erased);')
      expect(await isCandidate(`to ${spelling};`, words)).toBe(true)
    },
  )
  it.each(['adaXq@quixworth.example', 'ada.q@quixworth.example2', '+4915199887766 0'.replace(' ', ''), 'room 123'])(
    'are not found in %s',
    (text) => expect(withoutWords(words)(text)).toBe(text),
  )
})

it('PostgreSQL folds every letter as the service does', async () => {
  const letters = Array.from({ length: 0x1_ff_ff }, (_, point) => point)
    .filter((point) => point < 0xd8_00 || point > 0xdf_ff)
    .map((point) => String.fromCodePoint(point))
    .filter((letter) => /\p{L}|\p{N}/u.test(letter))
  const { rows } = await db.execute<{ letter: string; folded: string }>(
    sql`SELECT letter, ${foldedInSql(sql`letter`)} AS folded FROM unnest(${sql.param(letters)}::text[]) AS letter WHERE unicode_assigned(letter)`,
  )
  expect(rows.length).toBeGreaterThan(70_000)
  const others = rows.filter(({ letter, folded: found }) => found !== folded(letter)).map(({ letter }) => letter)
  expect(others).toEqual([])
})
