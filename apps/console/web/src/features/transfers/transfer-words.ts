import { fieldsOf, kindOf, type FieldType } from '@crm/model'
import type { TransferredEntity } from '@crm/contract'
import { fieldName } from '../../records/field-words.ts'
import type { Tone } from '../../shell/pill.tsx'
import { t } from '../../base/texts.ts'

/** The types of fields whose values stand in one cell. */
const inCells: ReadonlySet<FieldType> = new Set([
  'text',
  'email',
  'phone',
  'domain',
  'money',
  'currency',
  'percent',
  'integer',
  'flag',
  'day',
  'instant',
  'choice',
  'reference',
  'tags',
])

/** Returns the fields of a kind that people write and that can stand in one cell, those that people meet first at the front. */
function fieldsInCells(entityType: string): readonly string[] {
  const { main = [] } = kindOf(entityType) ?? {}
  const names = Object.entries(fieldsOf(entityType)).flatMap(([name, { type, rules }]) =>
    rules.written !== 'never' && inCells.has(type) ? [name] : [],
  )
  return [...main.filter((name) => names.includes(name)), ...names.filter((name) => !main.includes(name))]
}

/** A field that a column can go to. */
export interface TargetField {
  readonly value: string
  readonly label: string
}

/** A field as the API describes it; custom fields have a label. */
export interface KnownField {
  readonly field: string
  readonly label: string | null
}

/** Returns every target of a column: the common fields and the custom ones. */
export function targetFields(entityType: TransferredEntity, known: readonly KnownField[]): TargetField[] {
  const custom = known.flatMap(({ field, label }) => (label === null ? [] : [{ value: field, label }]))
  return [
    ...fieldsInCells(entityType).map((field) => ({
      value: field,
      label: field.endsWith('Id') ? t('transfers.fieldId', { field: fieldName(field) }) : fieldName(field),
    })),
    ...custom,
  ]
}

/** Returns the probable field of each header, each field once; headers without one are left out. */
export function guessMapping(header: readonly string[], fields: readonly TargetField[]): Record<string, string> {
  const taken = new Set<string>()
  const guessed = header.flatMap((title) => {
    const field = fields.find(
      ({ value, label }) => !taken.has(value) && [value, label].some((name) => plain(name) === plain(title)),
    )
    if (field) taken.add(field.value)
    return field ? [[title, field.value] as const] : []
  })
  return Object.fromEntries(guessed)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Returns the fields that more than one header goes to. */
export function doubledFields(mapping: Readonly<Record<string, string>>): string[] {
  const fields = Object.values(mapping)
  return [...new Set(fields.filter((field, at) => fields.indexOf(field) !== at))]
}

export const importStates: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  QUEUED: { label: t('transfers.waiting'), tone: 'neutral' },
  RUNNING: { label: t('transfers.running'), tone: 'blue' },
  DONE: { label: t('common.done'), tone: 'green' },
  FAILED: { label: t('transfers.failed'), tone: 'red' },
  CANCELLED: { label: t('common.cancelled'), tone: 'neutral' },
  REVERTING: { label: t('transfers.beingTakenBack'), tone: 'amber' },
  REVERTED: { label: t('transfers.undone'), tone: 'neutral' },
}
