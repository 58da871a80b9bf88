import { emptyWords } from '@crm/model'

const placeholders = new Set(emptyWords)

/** Whether a text says that there is no value. */
export function isEmpty(text: string): boolean {
  return text === '' || placeholders.has(text.toLowerCase())
}

const guard = /^'(?=[=+\-@\d＝＋－＠])/

/** Returns the text of a cell as a value has it: composed, trimmed, without the apostrophe that keeps spreadsheets from reading it. */
export function cleaned(text: string): string {
  return text.trim().replace(guard, '').normalize('NFC')
}

/** The most characters of a text that has a form, such as a number, a day, an address or a phone number. */
export const formedCharactersMax = 1_000

/** Returns a word as words are compared: in small letters, without accents, dots and space around it. */
export function wordKey(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/^[\s.]+|(?<![\s.])[\s.]+$/g, '')
}

/** The languages in which words are understood. */
export const languages = ['en', 'de', 'fr', 'es', 'ru'] as const
