import type { Executor } from '@crm/db'
import { sql } from 'drizzle-orm'

/** A letter with its marks, or letters that join: those of Hangul and of Kirat Rai. */
const clusters = /[\u1100-\u11ff]+|[\u{16d63}-\u{16d6a}]+|\P{M}\p{M}*|\p{M}+/gu
/** The letters that are remembered; more than any language has. */
const knownMax = 20_000

/** A folded text, with the places in the text that each of its units came from: the first one of a letter, and the one behind it. */
export interface Folded {
  readonly text: string
  readonly from: readonly number[]
  readonly until: readonly number[]
}

/** Whether two texts are equal once folded, without the blanks around them. */
export async function isSameText(db: Executor, one: string, other: string): Promise<boolean> {
  const { rows } = await db.execute<{ same: boolean }>(
    sql`SELECT crm_fold(${one.trim()}) = crm_fold(${other.trim()}) AS same`,
  )
  return rows[0]?.same === true
}

/** Returns texts with what they are once folded, without the blanks around them. */
export async function foldTexts(db: Executor, texts: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const each = [...new Set(texts)]
  if (each.length === 0) return new Map()
  const { rows } = await db.execute<{ text: string; folded: string }>(
    sql`SELECT text, crm_fold(btrim(text)) AS folded FROM unnest(${sql.param(each)}::text[]) AS text`,
  )
  return new Map(rows.map(({ text, folded }) => [text, folded]))
}

/** Folds texts as the database does, letter by letter, so that what is found in a folded text can be replaced in the text. */
export class Folding {
  readonly #db: Executor
  /** Bounded: by `knownMax`. */
  readonly #known = new Map<string, string>()

  constructor(db: Executor) {
    this.#db = db
  }

  /** Asks the database for the letters of values at any depth; `fold` knows them afterwards. */
  async learn(values: unknown): Promise<void> {
    // A blank joins what was learned apart.
    const letters = new Set([' '])
    collect(values, (text) => {
      for (const [letter] of text.matchAll(clusters)) letters.add(letter)
    })
    if (this.#known.size + letters.size > knownMax) this.#known.clear()
    const unknown = [...letters].filter((letter) => !this.#known.has(letter))
    if (unknown.length === 0) return
    const { rows } = await this.#db.execute<{ letter: string; folded: string }>(
      sql`SELECT letter, crm_fold(letter) AS folded FROM unnest(${sql.param(unknown)}::text[]) AS letter`,
    )
    for (const { letter, folded } of rows) this.#known.set(letter, folded)
  }

  /** Returns a learned text folded. */
  fold(text: string): Folded {
    let folded = ''
    const from: number[] = []
    const until: number[] = []
    for (const { 0: letter, index } of text.matchAll(clusters)) {
      const plain = this.#known.get(letter)
      if (plain === undefined) throw new Error('A text is folded whose letters were not learned')
      for (let unit = 0; unit < plain.length; unit += 1) {
        from.push(index)
        until.push(index + letter.length)
      }
      folded += plain
    }
    return { text: folded, from, until }
  }
}

function collect(value: unknown, take: (text: string) => void): void {
  if (typeof value === 'string') take(value)
  else if (value !== null && typeof value === 'object') for (const part of Object.values(value)) collect(part, take)
}
