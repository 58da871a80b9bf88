import { fieldChanges, type FieldChange } from '@crm/db'
import { ApiError, invalidField, invalidReference, type Issue } from '@crm/errors'
import { emailKey, toE164 } from '../contact-points.ts'
import { checkCustomFields, type CustomFieldDefinition } from '../custom-field-values.ts'
import type { OwnedRow } from './kind.ts'

/** The new owner of a record. */
export interface Owner {
  readonly id: string
  readonly departmentId: string | null
}

/** The facts of the workspace that decisions about any owned record need. */
export interface OwnedFacts {
  /** The requested owner, else the caller or the present owner; null when there is no such person. */
  readonly owner: Owner | null
  readonly customFields: readonly CustomFieldDefinition[]
}

/** The fields of a create or a change that every kind of owned record has. */
export interface OwnedInput {
  readonly ownerId?: string | null
  readonly tags?: readonly string[]
  readonly customFields?: Readonly<Record<string, unknown>>
}

/** The effect of a change on a record. */
export interface Change {
  /** The columns to write. */
  readonly set: object
  readonly changes: readonly FieldChange[]
}

/** Returns the columns that every new record gets: owner, department, tags and custom fields. */
export function planOwned({ tags, customFields }: OwnedInput, facts: OwnedFacts) {
  const checked = checkCustomFields(facts.customFields, customFields, null)
  if (checked.issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues: checked.issues })
  return { ...ownerColumns(facts.owner), tags: unique(tags ?? []), customFields: checked.values }
}

/** Returns the columns of a change that every kind of record treats alike; other fields of the patch are taken unchanged. */
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

/** Returns the columns to write and their differences from the present record. */
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

/** Refuses a change of a version that is no longer the present one. */
function refuseStale(current: Pick<OwnedRow, 'version'>, version: number | undefined): void {
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

/** Returns a phone number in its stored form, E.164, or refuses it. */
export function normalizedPhone(phone: string | null | undefined, field = 'phone'): string | null {
  if (!phone) return null
  const number = toE164(phone)
  if (!number) throw invalidField(field, 'A phone must start with + and the country code')
  return number
}

/** Returns phone numbers in their stored form, each once. */
export function normalizedPhones(phones: readonly string[], field = 'phones'): string[] {
  return unique(phones.flatMap((phone) => normalizedPhone(phone, field) ?? []))
}

/** Returns email addresses, each once, regardless of case. */
export function uniqueEmails(emails: readonly string[]): string[] {
  return emails.filter((email, at) => emails.findIndex((other) => emailKey(other) === emailKey(email)) === at)
}

/** Refuses a record that lacks fields which its stage requires. */
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

/** Whether a field has no content. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Returns the fields that have a value; null is one. */
export function definedOnly<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** Returns each value once, in order. */
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

/** Returns the values of another record that fill the empty fields of a record in a merge; lists are united. */
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
  return a.type === b.type && emailKey(a.handle) === emailKey(b.handle)
}
