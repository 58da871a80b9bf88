import { fieldChanges, type FieldChange } from '@crm/db'
import { ApiError, invalidField, invalidReference, type Issue } from '@crm/errors'
import { emailKey, toE164 } from '../contact-points.ts'
import { checkCustomFields, type CustomFieldDefinition } from '../custom-field-values.ts'
import type { OwnedRow } from './kind.ts'

/** Whose a record becomes. */
export interface Owner {
  readonly id: string
  readonly departmentId: string | null
}

/** What decisions about any owned record need to know of the workspace. */
export interface OwnedFacts {
  /** Who was asked for, else the caller or the present owner; null when there is no such person. */
  readonly owner: Owner | null
  readonly customFields: readonly CustomFieldDefinition[]
}

/** The fields of a create or a change that every kind of owned record has. */
export interface OwnedInput {
  readonly ownerId?: string | null
  readonly tags?: readonly string[]
  readonly customFields?: Readonly<Record<string, unknown>>
}

/** What a change does to a record. */
export interface Change {
  /** The columns to write. */
  readonly set: object
  readonly changes: readonly FieldChange[]
}

/** The columns that every new record gets: owner, department, tags and custom fields. */
export function planOwned({ tags, customFields }: OwnedInput, facts: OwnedFacts) {
  const checked = checkCustomFields(facts.customFields, customFields, null)
  if (checked.issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues: checked.issues })
  return { ...ownerColumns(facts.owner), tags: unique(tags ?? []), customFields: checked.values }
}

/** The columns of a change that every kind of record treats alike; what else the patch names is taken as it is. */
export function planOwnedChange<Row extends OwnedRow, Patch extends OwnedInput & { readonly version?: number }>(
  current: Row,
  patch: Patch,
  facts: OwnedFacts,
): Record<string, unknown> {
  refuseStale(current, patch.version)
  const { version: _version, ownerId, tags, customFields, ...fields } = patch
  return {
    ...definedOnly(fields),
    ...(ownerId === undefined ? {} : ownerId === null ? nobodys : ownerColumns(facts.owner)),
    ...(tags === undefined ? {} : { tags: unique(tags) }),
    ...(customFields === undefined ? {} : { customFields: changedCustomFields(current, customFields, facts) }),
  }
}

/** The columns to write and how they differ from the record as it is. */
export function changeOf<Row extends OwnedRow>(
  current: Row,
  set: Record<string, unknown>,
  silent: readonly string[] = [],
): Change {
  return {
    set,
    changes: fieldChanges<Row>(current, set as Partial<Row>).filter(({ field }) => !silent.includes(field)),
  }
}

/** A change of a version that is not the present one any more is refused. */
export function refuseStale(current: Pick<OwnedRow, 'version'>, version: number | undefined): void {
  if (version !== undefined && version !== current.version)
    throw new ApiError('VERSION_CONFLICT', { details: { version: current.version } })
}

const nobodys = { ownerId: null, departmentId: null }

function ownerColumns(owner: Owner | null) {
  if (!owner) throw invalidReference('ownerId')
  return { ownerId: owner.id, departmentId: owner.departmentId }
}

function changedCustomFields(
  current: OwnedRow,
  sent: Readonly<Record<string, unknown>>,
  facts: OwnedFacts,
): Record<string, unknown> {
  const { values, issues } = checkCustomFields(facts.customFields, sent, current.customFields ?? {})
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
  return values
}

/** A phone number as it is stored: E.164, or the refusal. */
export function normalizedPhone(phone: string | null | undefined, field = 'phone'): string | null {
  if (!phone) return null
  const number = toE164(phone)
  if (!number) throw invalidField(field, 'A phone must start with + and the country code')
  return number
}

/** Phone numbers as they are stored, each once. */
export function normalizedPhones(phones: readonly string[], field = 'phones'): string[] {
  return unique(phones.flatMap((phone) => normalizedPhone(phone, field) ?? []))
}

/** E-mail addresses each once, whatever the case. */
export function uniqueEmails(emails: readonly string[]): string[] {
  return emails.filter((email, at) => emails.findIndex((other) => emailKey(other) === emailKey(email)) === at)
}

/** The fields that a stage requires and that the record lacks are refused. */
export function requireFields(fields: readonly string[], values: object): void {
  const issues: Issue[] = fields
    .filter((field) => isEmpty(valueAt(values, field)))
    .map((field) => ({ path: field.split('.'), message: 'The stage requires this field', code: 'required' }))
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

function valueAt(values: object, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], values)
}

/** Whether a field says nothing. */
export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The fields that have a value; null is one. */
export function definedOnly<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** Each value once, in order. */
export function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

const neverFilled = [
  'id',
  'ownerId',
  'departmentId',
  'createdById',
  'createdAt',
  'updatedAt',
  'tags',
  'customFields',
  'messengers',
  'version',
  'openTaskCount',
  'nextTaskAt',
  'lastActivityAt',
  'rottingAt',
]

interface Mergeable extends OwnedRow {
  readonly messengers?: readonly { readonly type: string; readonly handle: string }[]
}

/** The empty fields of a record that another one's values fill when the two are merged; lists are united. */
export function planMerge<Row extends Mergeable>(
  existing: Row,
  incoming: object,
  notTaken: readonly string[] = [],
): Record<string, unknown> {
  const other = incoming as Partial<Mergeable>
  const filled = Object.entries(incoming).filter(
    ([field, value]) =>
      !neverFilled.includes(field) &&
      !notTaken.includes(field) &&
      !isEmpty(value) &&
      isEmpty(existing[field as keyof Row]),
  )
  const messengers = [...(existing.messengers ?? []), ...(other.messengers ?? [])]
  return {
    ...Object.fromEntries(filled),
    tags: unique([...existing.tags, ...(other.tags ?? [])]),
    customFields: { ...other.customFields, ...existing.customFields },
    ...(existing.messengers
      ? {
          messengers: messengers.filter(
            (entry, at) => messengers.findIndex((each) => sameMessenger(entry, each)) === at,
          ),
        }
      : {}),
  }
}

function sameMessenger(a: { type: string; handle: string }, b: { type: string; handle: string }): boolean {
  return a.type === b.type && a.handle.toLowerCase() === b.handle.toLowerCase()
}
