import { languages, wordsOfLanguages } from './words-of-languages.ts'

/** A word or phrase of a language, with the English words that the search knows for it. */
interface Entry {
  readonly words: readonly Beginning[]
  readonly english: string
}

interface Beginning {
  readonly text: string
  readonly isWhole: boolean
}

/** Longer phrases and longer words first, because they say more. */
const entriesOf = new Map(
  languages.map((language, at) => [
    language,
    wordsOfLanguages
      .flatMap(([english, ...columns]) => (columns[at] ?? '').split(' ').map((said) => entryOf(said, english)))
      .toSorted((a, b) => b.words.length - a.words.length || lengthOf(b) - lengthOf(a)),
  ]),
)

function entryOf(said: string, english: string): Entry {
  const words = said.split('_').map((word) => ({ text: plain(word.replace('*', '')), isWhole: !word.endsWith('*') }))
  return { words, english }
}

function lengthOf({ words }: Entry): number {
  return words.reduce((length, { text }) => length + text.length, 0)
}

/** Languages that write several words as one. */
const compounding: readonly string[] = ['de']

/** A beginning of a compound may be joined to the rest by one of these. */
const joints = /^(?:en|es|n|s|)/

/** The shortest rest of a compound that is a word of its own. */
const restMin = 4

/** Returns a question in words of the English search; a word that no dictionary has stays as it is. */
export function inEnglish(question: string, isEnglish: (word: string) => boolean): string {
  const words = wordsIn(question)
  const known = words.filter(isEnglish).length
  const readings = languages.map((language) => translated(words, language))
  const best = readings.reduce((a, b) => (b.known > a.known ? b : a))
  if (best.known <= known) return question
  return question
    .split(/([,;.\n])/)
    .map((part) => (wordsIn(part).length === 0 ? part : translated(wordsIn(part), best.language).english))
    .join(' ')
}

interface Reading {
  readonly language: (typeof languages)[number]
  readonly english: string
  /** The number of words that the language knows. */
  readonly known: number
}

function translated(words: readonly string[], language: Reading['language']): Reading {
  const entries = entriesOf.get(language) ?? []
  const english: string[] = []
  let known = 0
  for (let at = 0; at < words.length;) {
    const entry = entries.find((one) => isAt(one, words, at))
    known += entry?.words.length ?? 0
    english.push(entry ? withRest(entry, words[at] ?? '', language) : (words[at] ?? ''))
    at += entry?.words.length ?? 1
  }
  return { language, english: english.filter((word) => word !== '').join(' '), known }
}

function isAt({ words }: Entry, said: readonly string[], at: number): boolean {
  return words.every(({ text, isWhole }, offset) => {
    const word = said[at + offset]
    return isWhole ? word === text : word?.startsWith(text)
  })
}

/** Adds what the rest of a compound means: “Steuersatz” is a tax and a rate. */
function withRest({ words, english }: Entry, said: string, language: Reading['language']): string {
  if (words.length > 1 || !compounding.includes(language)) return english
  const rest = said.slice(words[0]?.text.length ?? 0).replace(joints, '')
  if (rest.length < restMin) return english
  const { english: more, known } = translated([rest], language)
  return known > 0 ? `${english} ${more}` : english
}

function wordsIn(text: string): readonly string[] {
  return plain(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns a text in small letters without marks, as people type it in a hurry. */
export function plain(text: string): string {
  return text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss')
}
