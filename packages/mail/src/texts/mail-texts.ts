import type { AccountTexts } from './account-wording.ts'
import { deAccount } from './account.de.ts'
import { enAccount } from './account.en.ts'
import { esAccount } from './account.es.ts'
import { frAccount } from './account.fr.ts'
import { ruAccount } from './account.ru.ts'
import type { BookingTexts } from './booking-wording.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { noticeTexts, type NoticeTexts } from './notice-texts.ts'
import { ru } from './ru.ts'

/** All texts of mails in one language. */
interface MailTexts {
  readonly booking: BookingTexts
  readonly account: AccountTexts
  readonly notices: NoticeTexts
}

const english: MailTexts = { booking: en, account: enAccount, notices: noticeTexts.en }

const catalogue: Readonly<Record<string, MailTexts>> = {
  en: english,
  de: { booking: de, account: deAccount, notices: noticeTexts.de },
  es: { booking: es, account: esAccount, notices: noticeTexts.es },
  fr: { booking: fr, account: frAccount, notices: noticeTexts.fr },
  ru: { booking: ru, account: ruAccount, notices: noticeTexts.ru },
}

/** The languages of mails. */
export const mailLanguages = Object.keys(catalogue)

/** Returns the first of the wished languages for which texts exist, else English. */
export function chooseLanguage(...wishes: readonly (string | null | undefined)[]): string {
  const languages = wishes.map((wish) => wish?.split(/[-_]/, 1)[0]?.toLowerCase() ?? '')
  return languages.find((language) => Object.hasOwn(catalogue, language)) ?? 'en'
}

/** Returns the texts of a language from `chooseLanguage`. */
export function mailTexts(language: string): MailTexts {
  return catalogue[language] ?? english
}

/** Returns the first wish for a language with everything else that it says, such as the region; the language alone where none says more. */
export function localeOf(language: string, ...wishes: readonly (string | null | undefined)[]): Intl.Locale {
  for (const wish of wishes) {
    try {
      const locale = new Intl.Locale(wish?.replaceAll('_', '-') ?? '')
      if (locale.language === language) return locale
    } catch {
      // What is no language tag says nothing.
    }
  }
  return new Intl.Locale(language)
}
