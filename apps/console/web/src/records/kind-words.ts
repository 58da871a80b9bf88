import type { RecordField, RecordKindSchema } from '@crm/contract'
import { capitalized, t } from '../base/texts.ts'
import type { Texts } from '../texts/en.ts'

type KnownKind = keyof Texts['kinds']
type KnownLabel = keyof Texts['labels']
type KnownCode = keyof Texts['codes']

/** Returns a kind of record with its nouns and labels in the language of the page; the names that people gave stay. */
export function kindInWords(kind: RecordKindSchema): RecordKindSchema {
  const fields = kind.fields.map(fieldInWords)
  const key = wordsKey(kind.key)
  if (kind.isCustom || !isKnownKind(key)) return { ...kind, fields }
  return { ...kind, noun: t(`kinds.${key}.one`), plural: t(`kinds.${key}.many`), fields }
}

/** Returns a number of records of a kind that every workspace has, such as “1,204 leads”; undefined for other kinds. */
export function countOfKnown(key: string, count: number): string | undefined {
  return isKnownKind(key) ? t(`kinds.${key}.count`, { count }) : undefined
}

/** Returns the noun of a kind that every workspace has; undefined for other kinds. */
export function nounOfKnown(entityType: string): string | undefined {
  const key = wordsKey(entityType)
  return isKnownKind(key) ? t(`kinds.${key}.one`) : undefined
}

/** Returns the plural of a kind that every workspace has; undefined for other kinds. */
export function pluralOfKnown(key: string): string | undefined {
  return isKnownKind(key) ? t(`kinds.${key}.many`) : undefined
}

/** Returns the name of a kind that every workspace has as it stands in headings, such as “Leads”. */
export function kindName(entityType: string): string {
  return capitalized(pluralOfKnown(entityType) ?? entityType)
}

/** Returns the label of a field that every workspace has, in the language of the page. */
export function labelInWords(label: string): string {
  const key = label.replaceAll(/(?<![^A-Za-z0-9])[^A-Za-z0-9]+(.)/g, (_, next: string) => next.toUpperCase())
  const known = key.charAt(0).toLowerCase() + key.slice(1)
  return t.has(`labels.${known as KnownLabel}`) ? t(`labels.${known as KnownLabel}`) : label
}

/** Returns the name of a code such as `IN_PROGRESS`, in the language of the page; undefined for an unknown one. */
export function codeInWords(code: string): string | undefined {
  return t.has(`codes.${code as KnownCode}`) ? t(`codes.${code as KnownCode}`) : undefined
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

function isKnownKind(key: string): key is KnownKind {
  return t.has(`kinds.${key as KnownKind}.one`)
}
