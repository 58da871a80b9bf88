import { createTranslator } from 'use-intl/core'
import { chosenLanguage, pseudoLanguage, type Language } from './language.ts'
import type { Texts } from '../texts/en.ts'

const catalogues: Readonly<Record<Language | typeof pseudoLanguage, () => Promise<{ readonly texts: Texts }>>> = {
  en: () => import('../texts/en.ts'),
  de: () => import('../texts/de.ts'),
  fr: () => import('../texts/fr.ts'),
  es: () => import('../texts/es.ts'),
  ru: () => import('../texts/ru.ts'),
  [pseudoLanguage]: () => import('../texts/pseudo.ts'),
}

const chosen = chosenLanguage()

/** The language of the page. It stays the same until the page is loaded again, so modules may keep texts in constants. */
export const language: Language = chosen === pseudoLanguage ? 'en' : chosen

/** The locale in which dates are written. */
export const dateLocale = language === 'en' ? 'en-GB' : language

const { texts } = await catalogues[chosen]()

/** Returns a text of the catalogues in the language of the page, with its values filled in. */
export const t = createTranslator({ locale: language, messages: texts })

/** A catalogue of one feature in each language. */
type Catalogue<More> = Readonly<Record<Language, () => Promise<{ readonly texts: More }>>>

/** Loads a catalogue that only one feature needs, and returns `t` with its texts as well. Each module of the feature waits for that. */
export async function loadTexts<More extends object>(catalogue: Catalogue<More>) {
  const { texts: written } = await catalogue[language]()
  const more = chosen === pseudoLanguage ? ((await import('../texts/pseudo.ts')).inBrackets(written) as More) : written
  return createTranslator({ locale: language, messages: { ...texts, ...more } })
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
const feminine = listed(t('grammar.feminine'))
const neuter = listed(t('grammar.neuter'))

/** Returns the values of a text about a thing, such as “New {noun}”: languages with genders need the gender of the noun. */
export function named(noun: string): { readonly noun: string; readonly gender: 'feminine' | 'neuter' | 'other' } {
  const name = noun.toLocaleLowerCase(language)
  if (feminine.includes(name)) return { noun, gender: 'feminine' }
  return { noun, gender: neuter.includes(name) ? 'neuter' : 'other' }
}
