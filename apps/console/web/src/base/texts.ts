import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format'
import { createElement, Fragment, type ReactNode } from 'react'
import { keyOf } from '../texts/keys.ts'
import type { Terms } from '../texts/en.ts'
import { inBrackets } from '../texts/pseudo.ts'
import type { Given, TagsOf, Unsaid, ValuesOf } from '../texts/values.ts'
import { chosenLanguage, pseudoLanguage, type Language } from './language.ts'

const chosen = chosenLanguage()

/** The language of the page. It stays the same until the page is loaded again, so modules may keep texts in constants. */
export const language: Language = chosen === pseudoLanguage ? 'en' : chosen

/** The locale in which dates are written. */
export const dateLocale = language === 'en' ? 'en-GB' : language

type Catalogue = Readonly<Record<string, CompiledMessage>>

/** The translations of each feature in each language. English has none: its texts stand where they are used. */
const catalogues = import.meta.glob<Catalogue>('../texts/translations/*/*.json', { import: 'default' })
const translations: Record<string, CompiledMessage> = {}

/** Loads the translations that only one feature needs, and returns `t`. Each module of the feature takes it from there. */
export async function loadTexts(feature: string): Promise<typeof t> {
  Object.assign(translations, await catalogues[`../texts/translations/${language}/${feature}.json`]?.())
  return t
}

const termsIn: Readonly<Record<Language, () => Promise<{ readonly terms: Terms }>>> = {
  en: () => import('../texts/en.ts'),
  de: () => import('../texts/de.ts'),
  fr: () => import('../texts/fr.ts'),
  es: () => import('../texts/es.ts'),
  ru: () => import('../texts/ru.ts'),
}
const [{ terms: written }] = await Promise.all([termsIn[language](), loadTexts('core')])

/** The terms for what the contract names by keys and codes, in the language of the page. */
export const terms = chosen === pseudoLanguage ? inBrackets(written) : written

/** Returns an English text in the language of the page, with its values filled in. */
export function t<const English extends string>(english: English, ...[values]: Given<ValuesOf<English>>): string {
  return filled(translated(english, values), values)
}

/** Returns the same for a text with tags. */
t.rich = <const English extends string>(
  english: English,
  ...[values]: Given<ValuesOf<English> & TagsOf<English>>
): ReactNode => createElement(Fragment, null, ...[formatted<ReactNode>(translated(english, values), values)].flat())

/** Fills values into a text that is in the language of the page. */
export function filled(text: CompiledMessage, values?: object): string {
  return String(formatted<string>(text, values))
}

function translated(english: CompiledMessage, values: Unsaid | undefined): CompiledMessage {
  const text = translations[keyOf(english, values?.context)] ?? english
  return chosen === pseudoLanguage ? inBrackets(text) : text
}

const [digits, plurals, times] = [
  new Intl.NumberFormat(language),
  new Intl.PluralRules(language),
  new Intl.DateTimeFormat(dateLocale),
]
const formatters = { getNumberFormat: () => digits, getPluralRules: () => plurals, getDateTimeFormat: () => times }

function formatted<Part>(text: CompiledMessage, values: object = {}) {
  return format(text, language, values as FormatValues<Part>, { formatters })
}

/** Formats a number in the language of the page. */
export function inDigits(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(language, options)
}

const list = new Intl.ListFormat(dateLocale)

/** Lists names as a sentence does: “Ada, Ben and Cara”. */
export function inList(names: Iterable<string>): string {
  return list.format(names)
}

/** Returns a text with a capital letter, for the beginning of a line. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns a name such as “Lead” for the inside of a sentence: German keeps the capital letter of a noun. */
export function inSentence(name: string): string {
  return language === 'de' ? name : name.toLocaleLowerCase(language)
}

const listed = (names: string) => names.split(',').map((name) => name.trim())
const feminine = listed(terms.grammar.feminine)
const neuter = listed(terms.grammar.neuter)

/** Returns the values of a text about a thing, such as “New {noun}”: languages with genders need the gender of the noun. */
export function named(noun: string): { readonly noun: string; readonly gender: 'feminine' | 'neuter' | 'other' } {
  const name = noun.toLocaleLowerCase(language)
  if (feminine.includes(name)) return { noun, gender: 'feminine' }
  return { noun, gender: neuter.includes(name) ? 'neuter' : 'other' }
}
