import type { BookingTexts } from './booking-wording.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ru } from './ru.ts'

const textsByLanguage: Readonly<Record<string, BookingTexts>> = { en, de, es, fr, ru }

/** The languages of mails. */
export const mailLanguages = Object.keys(textsByLanguage)

/** Returns the first of the wished languages for which texts exist, else English. */
export function chooseLanguage(...wishes: readonly (string | null | undefined)[]): string {
  const languages = wishes.map((wish) => wish?.split(/[-_]/, 1)[0]?.toLowerCase() ?? '')
  return languages.find((language) => Object.hasOwn(textsByLanguage, language)) ?? 'en'
}

/** Returns the texts of a language from `chooseLanguage`. */
export function bookingTexts(language: string): BookingTexts {
  return textsByLanguage[language] ?? en
}
