import type { BookingTexts } from './booking-wording.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ru } from './ru.ts'

const textsByLanguage: Readonly<Record<string, BookingTexts>> = { en, de, es, fr, ru }

/** The languages that mails are written in. */
export const mailLanguages = Object.keys(textsByLanguage)

/** The first of the wished languages that mails are written in, else English. */
export function chooseLanguage(...wishes: readonly (string | null | undefined)[]): string {
  const languages = wishes.map((wish) => wish?.split(/[-_]/, 1)[0]?.toLowerCase() ?? '')
  return languages.find((language) => Object.hasOwn(textsByLanguage, language)) ?? 'en'
}

/** The texts of a language that `chooseLanguage` gave. */
export function bookingTexts(language: string): BookingTexts {
  return textsByLanguage[language] ?? en
}
