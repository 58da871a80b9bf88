import { setImmediate } from 'node:timers/promises'
import ICAL from 'ical.js'
import { refuse } from './refusals.ts'
import { inWords, rowProblem, TableError, type Limits, type Row } from './table.ts'

/** Whether a text holds cards of people, as address books write them (vCard). */
export function isCards(text: string): boolean {
  return /^[ \t]*BEGIN:VCARD[ \t\r]*$/im.test(text.slice(0, beginningCharacters))
}

const beginningCharacters = 1_000

/**
 * Reads cards as rows of a table, whose first row has the titles of what the cards tell: versions 2.1 (versit), 3.0 (RFC 2426) and 4.0 (RFC 6350).
 * Pictures and sounds are left out. A card that cannot be read is a row with a problem.
 * @throws TableError for more cards than the limits allow.
 */
export async function* readCards(text: string, limits: Limits): AsyncGenerator<Row> {
  const cards: { readonly line: number; readonly told: Told | undefined }[] = []
  for (const { line, lines } of cardsIn(text)) {
    cards.push({ line, told: tell(lines) })
    if (cards.length >= limits.rowsMax) throw new TableError('TOO_MANY_ROWS', { max: inWords(limits.rowsMax) })
    if (cards.length % cardsAtOnce === 0) await setImmediate()
  }
  const told = titles.filter((title) => cards.some((card) => card.told?.has(title)))
  yield { line: 0, cells: told }
  for (const { line, told: values } of cards) {
    const cells = told.map((title) => values?.get(title) ?? '')
    const problem = values ? rowProblem(cells, limits) : refuse('UNREADABLE_CARD')
    yield problem ? { line, cells: [], problem } : { line, cells }
  }
}

const cardsAtOnce = 500

/** What a card can tell, in the words that columns of address books have. */
const titles = [
  'Contact ID',
  'First name',
  'Middle name',
  'Last name',
  'Full name',
  'Name prefix',
  'Name suffix',
  'Nickname',
  'Company',
  'Department',
  'Job title',
  'Email',
  'Other email',
  'Phone',
  'Other phone',
  'Fax',
  'Messengers',
  'Street',
  'Street 2',
  'City',
  'State',
  'Postal code',
  'Country',
  'Website',
  'Birthday',
  'Tags',
  'Notes',
] as const
type Told = ReadonlyMap<(typeof titles)[number], string>

/** Returns the lines of each card, continued lines joined, with the line on which it begins. */
function* cardsIn(text: string): Generator<{ readonly line: number; readonly lines: readonly string[] }> {
  let card: { line: number; lines: string[] } | undefined
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (/^BEGIN:VCARD\s*$/i.test(line)) card = { line: at + 1, lines: [] }
    else if (!card) continue
    else if (/^END:VCARD\s*$/i.test(line)) {
      yield card
      card = undefined
    } else continueCard(card.lines, line)
  }
  if (card) yield card
}

function continueCard(lines: string[], line: string): void {
  const before = lines.at(-1)
  if (before !== undefined && isContinued(before)) lines[lines.length - 1] = before.slice(0, -1) + line
  else if (before !== undefined && /^[ \t]/.test(line)) lines[lines.length - 1] = before + line.slice(1)
  else if (contentLine.test(line)) lines.push(line)
}

/** Version 2.1 breaks a quoted-printable line by an equals sign at its end. */
const isContinued = (line: string): boolean => line.endsWith('=') && /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE/i.test(line)

/** What else stands in a card, such as the bytes of a picture, is no line of it. */
const contentLine = /^[\w.-]+[;:]/

/** A property as the library gives it: its name, its parameters and its values. */
interface Property {
  readonly name: string
  readonly types: readonly string[]
  readonly isPreferred: boolean
  readonly values: readonly (string | readonly (string | readonly string[])[])[]
}

function tell(lines: readonly string[]): Told | undefined {
  const properties = lines.filter((line) => !sounds.test(line)).map(inNewForm)
  const read = readProperties(['BEGIN:VCARD', ...properties, 'END:VCARD'].join('\r\n'))
  return read && toldBy(read.map(propertyOf))
}

/** A line that the library cannot read takes its card with it, and not the file. */
function readProperties(card: string): unknown[][] | undefined {
  try {
    const [, read] = ICAL.parse(card) as [string, unknown[][]]
    return read
  } catch {
    return undefined
  }
}

const sounds = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|AGENT)[;:]/i

function propertyOf([name, parameters, , ...values]: unknown[]): Property {
  const { type = [], pref } = parameters as { type?: string | string[]; pref?: string }
  const types = [type].flat().map((one) => one.toLowerCase())
  return {
    name: String(name),
    types,
    isPreferred: pref === '1' || types.includes('pref'),
    values: values as Property['values'],
  }
}

/** Returns a line as version 3.0 has it: parameters have names, and letters are written as they are. */
function inNewForm(line: string): string {
  const [, head, value = ''] = /^((?:"[^"]*"|[^":])*):(.*)$/s.exec(line) ?? []
  if (head === undefined) return line
  const [name = '', ...parameters] = head.match(/(?:"[^"]*"|[^";])+/g) ?? []
  const named = parameters.map((one) =>
    one.includes('=') ? one : `${/^(?:QUOTED-PRINTABLE|BASE64|B|[78]BIT)$/i.test(one) ? 'ENCODING' : 'TYPE'}=${one}`,
  )
  const isQuoted = named.some((one) => /^ENCODING=QUOTED-PRINTABLE$/i.test(one))
  const kept = named.filter((one) => !/^(?:ENCODING|CHARSET)=/i.test(one))
  const charset = named.find((one) => /^CHARSET=/i.test(one))?.slice('CHARSET='.length)
  return `${[name, ...kept].join(';')}:${isQuoted ? escaped(unquoted(value, charset)) : value}`
}

function unquoted(value: string, charset = 'utf-8'): string {
  const bytes = Buffer.from(
    value.replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

const escaped = (text: string): string => text.replaceAll(',', '\\,').replaceAll(/\r\n|\n|\r/g, '\\n')

function toldBy(properties: readonly Property[]): Told {
  const named = (name: string): readonly Property[] => preferredFirst(properties.filter((one) => one.name === name))
  const first = (name: string): string => named(name).map(textOf).find(Boolean) ?? ''
  const parts = (name: string): readonly string[] => named(name).map(partsOf).find(isFilled) ?? []
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = parts('n')
  const [company = '', ...units] = parts('org')
  const [box = '', more = '', street = '', city = '', region = '', code = '', country = ''] = parts('adr')
  const [email = '', ...emails] = different(named('email').map(textOf))
  const [faxes, phones] = parted(named('tel'), ({ types }) => types.includes('fax') && !types.includes('voice'))
  const [phone = '', ...otherPhones] = different(phones.map(numberOf))
  const told: Record<(typeof titles)[number], string> = {
    'Contact ID': first('uid').replace(/^urn:uuid:/, ''),
    'First name': given,
    'Middle name': middle,
    'Last name': family,
    'Full name': family || given ? '' : first('fn') || company,
    'Name prefix': prefix,
    'Name suffix': suffix,
    Nickname: first('nickname'),
    Company: company,
    Department: units.filter(Boolean).join(', '),
    'Job title': first('title'),
    Email: email,
    'Other email': emails.join(between),
    Phone: phone,
    'Other phone': otherPhones.join(between),
    Fax: different(faxes.map(numberOf)).join(between),
    Messengers: different(named('impp').map(textOf)).join(between),
    Street: street || box,
    'Street 2': more,
    City: city,
    State: region,
    'Postal code': code,
    Country: country,
    Website: first('url'),
    Birthday: /^\d{4}-\d\d-\d\d/.exec(first('bday'))?.[0] ?? first('bday'),
    Tags: named('categories')
      .flatMap(({ values }) => values.map(flat))
      .join(';'),
    Notes: named('note').map(textOf).join('\n'),
  }
  return new Map(titles.flatMap((title) => (told[title].trim() === '' ? [] : [[title, told[title].trim()]])))
}

/** Stands between several values of a cell; neither addresses nor numbers hold it. */
const between = ';'

const preferredFirst = (properties: readonly Property[]): readonly Property[] =>
  parted(properties, ({ isPreferred }) => isPreferred).flat()

function parted<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

const different = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter(Boolean))]
const isFilled = (parts: readonly string[]): boolean => parts.some(Boolean)

/** Returns the parts of a value such as a name; a part of several is one text. */
function partsOf({ values: [value = ''] }: Property): readonly string[] {
  return typeof value === 'string' ? [value] : value.map((part) => [part].flat().join(' ').trim())
}

function textOf({ values }: Property): string {
  return values.map(flat).join(',').trim()
}

const flat = (value: Property['values'][number]): string => (typeof value === 'string' ? value : value.flat().join(';'))

/** Returns a number as people write it; version 4.0 has addresses such as `tel:+1-555-555-5555;ext=5555`. */
function numberOf(property: Property): string {
  return textOf(property).replace(/^tel:/i, '').replace(/;ext=/i, ' ext. ')
}
