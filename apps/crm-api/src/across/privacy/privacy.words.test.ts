import { createDatabase, createPool } from '@crm/db'
import { testDatabase } from '@crm/testkit'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { Folding } from '../../records/folding.ts'
import { wordsOf } from './privacy.terms.ts'
import { candidatePattern, erasedText, withoutWords as withoutLearned, type PersonWords } from './privacy.words.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test-words' })
const db = createDatabase(pool)
afterAll(() => pool.end())

const folding = new Folding(db)
/** Learns a value and cleans it. */
const withoutWords = (words: PersonWords) => async (value: unknown) => {
  await folding.learn([words, value])
  return withoutLearned(words, folding)(value)
}

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
  ['Jean-Luc', "O'Hara", 'Jean-Luc O’Hara'],
  ['Jean-Luc', "O'Hara", 'jean-luc ohara'],
  ['Ada', 'Quixworth', 'Ａｄａ Quixworth'],
  ['מֹשֶׁה', 'לוי', 'משה לוי'],
  ['مُحَمَّد', 'علي', 'محمد علي'],
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
    sql`SELECT crm_fold(${text}) ~ ${candidatePattern(words, folding)} AS found`,
  )
  return rows[0]?.found === true
}

describe('the name of a person', () => {
  it.each(spellings)('%s %s is found as %s, in prose and in JSON', async (first, last, spelling) => {
    const words = person(first, last)
    const clean = withoutWords(words)
    expect(await clean(`Call ${spelling}, today; ${spelling}’s`)).toBe(`Call ${erasedText}, today; ${erasedText}’s`)
    expect(await clean({ note: [`with ${spelling}.`], n: 1 })).toEqual({ note: [`with ${erasedText}.`], n: 1 })
    expect(await isCandidate(`Call ${spelling} today`, words)).toBe(true)
    expect(await isCandidate(JSON.stringify({ note: spelling }), words)).toBe(true)
  })

  it.each(['Adam Quixworth', 'Ada Quixworthy', 'Nada Quixworth', 'Ada', 'Quixworth', 'Ada B. Quixworth'])(
    'is not found in %s',
    async (text) => expect(await withoutWords(person('Ada', 'Quixworth'))(text)).toBe(text),
  )

  it('is looked for only as a whole', () => {
    for (const name of ['argon2id', 'VIEW_LEAD', 'OPEN'])
      expect(
        wordsOf({ ...nobody, firstName: name }).names.concat(wordsOf({ ...nobody, lastName: name }).names),
      ).toEqual([])
    expect(person('.*', '[').names).toEqual([])
  })

  it('keeps everything around it', async () => {
    const text = 'Straße — “Zoë” \u{1F600} e\u0301'
    expect(await withoutWords(person('Ada', 'Quixworth'))(`${text} Ada Quixworth ${text}`)).toBe(
      `${text} (erased) ${text}`,
    )
  })
})

describe('addresses and numbers', () => {
  const words = wordsOf({ ...nobody, emails: ['ada.q@quixworth.example'], phones: ['+4915199887766', '123'] })
  it.each(['ADA.Q@Quixworth.example', '+49 151 998 877 66', '+49 (151) 99887766', '49-151-99-88-77-66'])(
    'are found as %s',
    async (spelling) => {
      expect(await withoutWords(words)(`to ${spelling};`)).toBe('to (erased);')
      expect(await isCandidate(`to ${spelling};`, words)).toBe(true)
    },
  )
  it.each(['adaXq@quixworth.example', 'ada.q@quixworth.example2', '+4915199887766 0'.replace(' ', ''), 'room 123'])(
    'are not found in %s',
    async (text) => expect(await withoutWords(words)(text)).toBe(text),
  )
})

it('a text is folded letter by letter as PostgreSQL folds it whole', async () => {
  const letters = Array.from({ length: 0x1_ff_ff }, (_, point) => point)
    .filter((point) => point < 0xd8_00 || point > 0xdf_ff)
    .map((point) => String.fromCodePoint(point))
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
  const texts = Array.from({ length: Math.ceil(letters.length / 500) }, (_, at) =>
    letters.slice(at * 500, at * 500 + 500).join(' '),
  )
  for (const form of ['NFC', 'NFD'] as const) {
    const formed = texts.map((text) => text.normalize(form))
    const { rows } = await db.execute<{ folded: string }>(
      sql`SELECT crm_fold(text) AS folded FROM unnest(${sql.param(formed)}::text[]) WITH ORDINALITY AS all_texts (text, place) ORDER BY place`,
    )
    const others: string[] = []
    for (const [at, text] of formed.entries()) {
      await folding.learn(text)
      if (folding.fold(text).text !== rows[at]?.folded) others.push(text)
    }
    expect(others).toEqual([])
  }
})
