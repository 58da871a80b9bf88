import { createTranslator } from 'use-intl/core'
import { describe, expect, it } from 'vitest'
import { texts as deCore } from './de.ts'
import { texts as deMoving } from './moving/de.ts'
import { texts as deSearching } from './searching/de.ts'
import { texts as deSettings } from './settings/de.ts'
import { texts as enCore } from './en.ts'
import { texts as enMoving } from './moving/en.ts'
import { texts as enSearching } from './searching/en.ts'
import { texts as enSettings } from './settings/en.ts'
import { texts as esCore } from './es.ts'
import { texts as esMoving } from './moving/es.ts'
import { texts as esSearching } from './searching/es.ts'
import { texts as esSettings } from './settings/es.ts'
import { texts as frCore } from './fr.ts'
import { texts as frMoving } from './moving/fr.ts'
import { texts as frSearching } from './searching/fr.ts'
import { texts as frSettings } from './settings/fr.ts'
import { texts as ruCore } from './ru.ts'
import { texts as ruMoving } from './moving/ru.ts'
import { texts as ruSearching } from './searching/ru.ts'
import { texts as ruSettings } from './settings/ru.ts'

const en = { ...enCore, ...enSettings, ...enSearching, ...enMoving }
const de = { ...deCore, ...deSettings, ...deSearching, ...deMoving }
const fr = { ...frCore, ...frSettings, ...frSearching, ...frMoving }
const es = { ...esCore, ...esSettings, ...esSearching, ...esMoving }
const ru = { ...ruCore, ...ruSettings, ...ruSearching, ...ruMoving }

type Branch = { readonly [key: string]: string | Branch }

const flat = (branch: Branch, before = ''): (readonly [string, string])[] =>
  Object.entries(branch).flatMap(([key, value]) =>
    typeof value === 'string' ? [[before + key, value] as const] : flat(value, `${before}${key}.`),
  )

/** Returns the names of the tags of a text, such as `b`. */
const tagsOf = (text: string) =>
  [...new Set([...text.matchAll(/<(\w+)>/g)].map(([, name = '']) => name))].toSorted((a, b) => a.localeCompare(b))

/** Returns the values that a text takes, with one that every text about a noun gets. */
const valuesOf = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name)

describe.each(Object.entries({ de, es, fr, ru }))('the texts in %s', (locale, texts) => {
  const english = new Map(flat(en))
  const own = flat(texts)

  it('have the keys and the tags of the English ones', () => {
    expect(new Set(own.map(([key]) => key))).toEqual(new Set(english.keys()))
    for (const [key, text] of own) expect([key, tagsOf(text)]).toEqual([key, tagsOf(english.get(key) ?? '')])
  })

  it('can be written with the values that the English ones take', () => {
    const failures: string[] = []
    const t = createTranslator<Branch>({
      locale,
      messages: texts,
      onError: ({ message, originalMessage }) => failures.push(`${message} ${originalMessage ?? ''}`),
    })
    for (const [key, text] of own) {
      const values = Object.fromEntries(
        [...valuesOf(english.get(key) ?? ''), 'gender', 'sound', 'count'].map((name) => [name, 2 as never]),
      )
      const tags = Object.fromEntries(tagsOf(text).map((name) => [name, (inner: unknown) => inner as never]))
      void t.rich(key as never, { ...values, ...tags } as never)
    }
    expect(failures).toEqual([])
  })
})

describe.each(Object.entries({ en, de, es, fr, ru }))('the texts in %s', (_locale, texts) => {
  const all = flat(texts)
  /** The words that join numbers, such as “3 of 20”. */
  const joining = /^(?:of|von|sur|de|из)$/
  /** The texts in which no noun follows the number. */
  const without =
    /(?:AndMore|andMore|moreEntries|InAll|inThisProject|InThisProject|unreadUnread|Selected|Cannot|YouMayNotChange|Skipped|ChangedSince|areasChanging)$/

  it('decline what they count', () => {
    const loose = all.filter(
      ([key, text]) =>
        !without.test(key) &&
        [...text.matchAll(/\{(?:\w+, number|count|total)\} (\p{L}+)/gu)].some(([, word = '']) => !joining.test(word)),
    )
    expect(loose).toEqual([])
  })

  it('end with one full stop, also behind a sentence that is put in', () => {
    // These values are whole sentences of their own.
    const sentence = /\{(?:message|sentence|reason|restored|text)\}\s*[.!?]/u
    const known = ['cellProblems.SPREADSHEET_ERROR']
    expect(
      all.filter(([key, text]) => (sentence.test(text) && !known.includes(key)) || /[^.…]\.\.(?!\.)/u.test(text)),
    ).toEqual([])
  })
})
