import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import compileMessage from 'icu-minify/compile'
import { describe, expect, it } from 'vitest'
import { compiledFile } from '../compiled-texts.ts'
import { featuresIn, keysByFeature, readCatalogue, readTexts, translated } from '../catalogues.ts'
import { textsIn } from '../texts-in.ts'
import { keyOf, partsOfKey } from '../web/src/texts/keys.ts'

const { texts, computed } = readTexts()
const used = keysByFeature(texts)

/** What the grammar of one language needs and that of another one may not. */
const unsaid = new Set(['gender', 'sound', 'count'])

/** Returns the names of the values of a message, and those of its tags as `<b>`. */
function namesIn(message: string): ReadonlySet<string> {
  const compiled = compileMessage(message)
  return new Set(typeof compiled === 'string' ? [] : compiled.flatMap(namesOf))
}

function namesOf(part: unknown): string[] {
  if (!Array.isArray(part)) return []
  const [name, type, ...rest] = part as unknown as readonly [string, unknown, ...unknown[]]
  if (type === undefined) return [name]
  if (typeof type === 'number' && type !== 0)
    return [
      name,
      ...rest.flatMap((choices) =>
        Object.values(choices as object)
          .flat()
          .flatMap(namesOf),
      ),
    ]
  return [`<${name}>`, ...[type, ...rest].flatMap(namesOf)]
}

const nameTag = (name: string) => name.replaceAll(/[<>]/g, '')

const translationsOf = (language: string) =>
  featuresIn(language).flatMap((feature) =>
    Object.entries(readCatalogue(language, feature)).map(([key, text]) => ({ feature, key, text })),
  )

describe('the texts of the console', () => {
  it('are written where they are used', () => {
    expect(computed).toEqual([])
  })

  it('are found in sources, with their contexts and values', () => {
    const source = `import { t } from '../base/texts.ts'
      t('Discard', { context: 'an invoice' })
      t(isDone ? 'Done' : 'Open {title}', { title })
      t.rich('See <link>it</link>', { ...tags })
      t(key)`
    const { texts: found, computed: unknown } = textsIn('a.ts', source)
    expect(found.map(({ english, context, values, line }) => [english, context, values, line])).toEqual([
      ['Discard', 'an invoice', ['context'], 2],
      ['Done', undefined, ['title'], 3],
      ['Open {title}', undefined, ['title'], 3],
      ['See <link>it</link>', undefined, undefined, 4],
    ])
    expect(unknown).toEqual([5])
  })

  it('are found in compiled catalogues by what the build makes of them', () => {
    const source = compiledFile(`import { t } from './texts.ts'\nt('By {label}', { label })`, 'a.ts')
    const [, compiled = ''] = /t\((.*), \{ label \}\)/.exec(source) ?? []
    const catalogue = compiledFile(
      '{ "By {label} | a list": "Nach {label}", "New": "" }',
      '/texts/translations/de/core.json',
    )
    expect(JSON.parse(catalogue)).toEqual({ [keyOf(JSON.parse(compiled) as [], 'a list')]: ['Nach ', ['label']] })
  })

  it('get the values that they name in some language, and no others', () => {
    const named = new Map<string, Set<string>>()
    for (const { key, english } of texts) named.set(key, new Set(namesIn(english)))
    for (const language of translated)
      for (const { key, text } of translationsOf(language)) for (const name of namesIn(text)) named.get(key)?.add(name)
    const wrong = texts.flatMap(({ key, english, values, place }) => {
      if (values === undefined) return []
      const names = new Set([...(named.get(key) ?? [])].map(nameTag))
      const [missing, needless] = [names.difference(new Set(values)), new Set(values).difference(names)]
      needless.delete('context')
      return missing.size + needless.size === 0
        ? []
        : [`${place} “${english}” lacks ${[...missing].join()}, needs no ${[...needless].join()}`]
    })
    expect(wrong).toEqual([])
  })
})

describe.each(translated)('the catalogues in %s', (language) => {
  it('have a translation for every text, and no others: npm run texts adds and removes', () => {
    const faults = [...used].flatMap(([feature, keys]) => {
      const catalogue = readCatalogue(language, feature)
      const places = (key: string) => texts.filter((text) => text.key === key).map(({ place }) => place)
      return [
        ...keys.filter((key) => !catalogue[key]).map((key) => `${places(key)[0]}: “${key}” is not translated`),
        ...Object.keys(catalogue)
          .filter((key) => !keys.includes(key))
          .map((key) => `${feature}: “${key}” is not used`),
      ]
    })
    expect(faults).toEqual([])
    expect(featuresIn(language).toSorted()).toEqual([...used.keys()].toSorted())
  })

  it('name the values and tags of the English texts', () => {
    const wrong = translationsOf(language).flatMap(({ key, text }) => {
      const [english, own] = [namesIn(partsOfKey(key).english), namesIn(text)]
      const others = english.symmetricDifference(own)
      return [...others].filter((name) => !unsaid.has(name)).map((name) => `“${key}”: ${name}`)
    })
    expect(wrong).toEqual([])
  })
})

type Terms = string | { readonly [key: string]: Terms }

const terms = Object.fromEntries(
  ['en', ...translated].map((language) => {
    const folder = fileURLToPath(new URL(`../web/src/texts/${language}/`, import.meta.url))
    const files = globSync('*.json', { cwd: folder }).map((name) => readFileSync(folder + name, 'utf8'))
    return [language, files.flatMap((json) => flat(JSON.parse(json) as Terms))]
  }),
)

function flat(written: Terms, path = ''): (readonly [key: string, text: string])[] {
  if (typeof written === 'string') return [[path, written]]
  return Object.entries(written).flatMap(([key, inner]) => flat(inner, `${path}.${key}`))
}

describe.each(['en', ...translated])('the texts in %s', (language) => {
  const written =
    language === 'en' ? texts.map(({ key, english }) => ({ key, text: english })) : translationsOf(language)
  const all = [...written, ...(terms[language] ?? []).map(([key, text]) => ({ key, text }))]
  /** The words that join numbers, such as “3 of 20”. */
  const joining = /^(?:of|von|sur|de|из)$/

  it('have the keys of the English terms', () => {
    const keysOf = (own: string) => (terms[own] ?? []).map(([key]) => key).toSorted()
    expect(keysOf(language)).toEqual(keysOf('en'))
  })

  it('decline what they count', () => {
    const loose = all.filter(({ text }) =>
      [...text.matchAll(/\{(?:\w+, number|count|total)\} (\p{L}+)/gu)].some(([, word = '']) => !joining.test(word)),
    )
    expect(loose.map(({ key }) => key).filter((key) => !withoutNoun.includes(key))).toEqual([])
  })

  it('end with one full stop, also behind a sentence that is put in', () => {
    // These values are whole sentences of their own.
    const sentence = /\{(?:message|sentence|reason|restored|text)\}\s*[.!?]/u
    const known = ['The spreadsheet has an error in this cell: {text}.']
    expect(
      all.filter(({ key, text }) => (sentence.test(text) && !known.includes(key)) || /[^.…]\.\.(?!\.)/u.test(text)),
    ).toEqual([])
  })
})

/** The texts in which no noun follows the number. */
const withoutNoun: readonly string[] = [
  '+{count} more',
  'and {count, number} more',
  '{areas, number} of {total, plural, one {# area} other {# areas}}, {changing, number} can be changed',
  '{count, number} cannot',
  '{count, number} in all',
  '{count, number} more',
  '{count, number} selected',
  '{count, number} you may not change',
  '{created, number} created, {updated, number} updated, {skipped, number} skipped, {failed, number} with errors',
  '{restored}, {count} changed since',
  '{total, number} in this project',
  '{unread, number} unread',
]
