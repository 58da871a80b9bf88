import { inPlainSigns } from '@crm/model'
import { parsePhoneNumberFromString, type CountryCode, type PhoneNumber } from 'libphonenumber-js/max'
import { read, refuseText, type Reading } from './refusals.ts'
import { valuesIn } from './several.ts'

/** How digits without a plus are read: as they are dialled in the country, or as a number whose plus was lost. */
export const phoneForms = ['national', 'international'] as const
export type PhoneForm = (typeof phoneForms)[number]

/** How the phones of a column are read. */
export interface PhoneRules {
  /** The country of numbers without a country code, such as `DE`; undefined where nobody said. */
  readonly country?: string
  readonly form: PhoneForm
}

/** A phone number: E.164, and the extension behind it. */
export interface ReadPhone {
  readonly number: string
  readonly extension?: string
}

const extension =
  /(?<![\s,;/(-])[\s,;/(-]*(?:ext(?:ension)?|x|durchwahl|dw|poste|int(?:erno)?|anexo|extensi[oó]n|toestel|доб(?:авочный)?)[.:\s]*(?<digits>\d{1,7})\)?\s*$/iu
/** What spreadsheets add to a number, and what people write before one. */
const additions = /\.0$|^(?:tel|phone|mobil|mobile|fax|tél|тел)[.:\s]+/giu
const hasLetters = /\p{L}/u

/** Returns the texts of the numbers in a cell that holds several. */
export function phonesIn(text: string): string[] {
  return valuesIn(inPlainSigns(text), false)
    .flatMap((part) => part.split(/\s(?:or|oder|ou|und|and)\s/u))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Reads a text as one phone number; an exchange in letters is none. */
export function readPhone(text: string, { country, form }: PhoneRules): Reading<ReadPhone> {
  const plain = inPlainSigns(text.normalize('NFKC')).replaceAll(additions, '').trim()
  const found = extension.exec(plain)
  const main = (found ? plain.slice(0, found.index) : plain).trim()
  if (hasLetters.test(main)) return refuseText('PHONE_WITH_LETTERS', text)
  const parsed = parse(main, form, country)
  if (parsed === undefined && country === undefined && !isWithCode(main))
    return refuseText('PHONE_WITHOUT_COUNTRY', text)
  if (!parsed?.isPossible()) return refuseText('NO_PHONE', text)
  const digits = found?.groups?.['digits'] ?? parsed.ext
  return read({ number: parsed.number, ...(digits ? { extension: digits } : {}) })
}

function isWithCode(main: string): boolean {
  return /^\(?\s*(?:\+|00)/.test(main)
}

function parse(main: string, form: PhoneForm, country: string | undefined): PhoneNumber | undefined {
  // Two zeros begin a number with its country code in most countries, and a number within the country in none.
  const dialled = main.replace(/^\(?\s*00\s?\)?/, '+').replace(/^\(\s*\+(\d+)\s*\)/, '+$1 ')
  // The zero in brackets is dialled within the country only.
  const text = dialled.startsWith('+') ? dialled.replace(/\(\s*0\s*\)/, '') : dialled
  const isLost = form === 'international' && !text.startsWith('+')
  const whole = isLost ? `+${text}` : text
  return parsePhoneNumberFromString(whole.replace(oldMexicanMobile, '+52'), country as CountryCode | undefined)
}

/** Mexico wrote a 1 behind its code until 2019, and address books still do. */
const oldMexicanMobile = /^\+[\s.-]*52[\s.-]*1(?=(?:[\s.()-]*\d){10}$)/

/** National numbers are seldom valid with a plus before them, and numbers whose plus was lost nearly always. */
const shareOfInternational = 0.8

/** What the digits without a plus in a column are. */
export interface PhoneFormGuess {
  readonly form: PhoneForm
  /** The share of them that is valid with a plus, from 0 to 1; it tells why. */
  readonly validWithPlus: number
}

/** Returns how the digits without a plus in a column are to be read: a single number can be valid both ways, a column is not. */
export function phoneFormOf(texts: readonly string[]): PhoneFormGuess {
  const bare = texts.flatMap(phonesIn).filter((text) => !isWithCode(text) && !hasLetters.test(text))
  const valid = bare.filter((text) => parse(text, 'international', undefined)?.isValid())
  const validWithPlus = bare.length === 0 ? 0 : valid.length / bare.length
  return { form: validWithPlus >= shareOfInternational ? 'international' : 'national', validWithPlus }
}

/** Whether a text looks like a phone number: some digits and what people write between them, with a plus or without. */
export function looksLikePhone(text: string): boolean {
  const main = inPlainSigns(text).replace(extension, '')
  const digits = main.replaceAll(/\D/g, '').length
  return /^[+(\d][\d\s()./-]*(?:\.0)?$/.test(main.replaceAll(additions, '').trim()) && digits >= 6 && digits <= 15
}
