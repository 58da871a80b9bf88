import type { RecordField, RecordKindSchema } from '@crm/contract'
import { capitalized, filled, terms } from '../base/texts.ts'

/** The words of a kind in one language. */
interface KindWords {
  readonly one: string
  readonly many: string
  /** With a number. */
  readonly count: string
  /** The heading of its list, where it is not the plural. */
  readonly title?: string
  /** What its search looks at. */
  readonly searched?: string
  /** What an empty list says about its beginning. */
  readonly origin?: string
  /** A record without a number, for kinds with numbers. */
  readonly draft?: string
}

const kinds: Readonly<Record<string, KindWords>> = terms.kinds
const labels: Readonly<Record<string, string>> = terms.labels
const codes: Readonly<Record<string, string>> = terms.codes

/** Returns the words of a kind that every workspace has; undefined for other kinds. */
export function wordsOfKnown(entityType: string): KindWords | undefined {
  return kinds[wordsKey(entityType)]
}

/** Returns a kind of record with its nouns and labels in the language of the page; the names that people gave stay. */
export function kindInWords(kind: RecordKindSchema): RecordKindSchema {
  const fields = kind.fields.map(fieldInWords)
  const known = wordsOfKnown(kind.key)
  if (kind.isCustom || known === undefined) return { ...kind, fields }
  return { ...kind, noun: known.one, plural: known.many, fields }
}

/** Returns a number of records of a kind that every workspace has, such as “1,204 leads”; undefined for other kinds. */
export function countOfKnown(key: string, count: number): string | undefined {
  return kinds[key] && filled(kinds[key].count, { count })
}

/** Returns the noun of a kind that every workspace has; undefined for other kinds. */
export function nounOfKnown(entityType: string): string | undefined {
  return wordsOfKnown(entityType)?.one
}

/** Returns the plural of a kind that every workspace has; undefined for other kinds. */
export function pluralOfKnown(key: string): string | undefined {
  return kinds[key]?.many
}

/** Returns the words for a record that gets its number later; undefined for kinds without numbers. */
export function draftOf(key: string): string | undefined {
  return kinds[key]?.draft
}

/** Returns the name of a kind that every workspace has as it stands in headings, such as “Leads”. */
export function kindName(entityType: string): string {
  return capitalized(pluralOfKnown(entityType) ?? entityType)
}

/** Returns the label of a field that every workspace has, in the language of the page. */
export function labelInWords(label: string): string {
  const key = label.replaceAll(/(?<![^A-Za-z0-9])[^A-Za-z0-9]+(.)/g, (_, next: string) => next.toUpperCase())
  return labels[key.charAt(0).toLowerCase() + key.slice(1)] ?? label
}

/** Returns the name of a code such as `IN_PROGRESS`, in the language of the page; undefined for an unknown one. */
export function codeInWords(code: string): string | undefined {
  return Object.hasOwn(codes, code) ? codes[code] : undefined
}

function fieldInWords(field: RecordField): RecordField {
  if (field.group === 'CUSTOM') return field
  const options = field.options.map(({ value, label }) => ({ value, label: codeInWords(value) ?? label }))
  return { ...field, label: labelInWords(field.label), options }
}

/** Returns the kind whose words a kind has: the API's documents are templates, from which people make documents. */
export function wordsKey(key: string): string {
  return key === 'DOCUMENT' ? 'TEMPLATE' : key
}
