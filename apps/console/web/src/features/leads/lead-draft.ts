import type { LeadRecord, temperatures } from '@crm/contract'

/** The fields of a lead that its form holds. */
export const draftFields = [
  'firstName',
  'lastName',
  'companyName',
  'jobTitle',
  'email',
  'phone',
  'website',
  'temperature',
  'description',
] as const
export type DraftField = (typeof draftFields)[number]

/** A lead as the form holds it: empty text where there is nothing. */
export type LeadDraft = Readonly<Record<DraftField, string>>

export const emptyDraft: LeadDraft = {
  firstName: '',
  lastName: '',
  companyName: '',
  jobTitle: '',
  email: '',
  phone: '',
  website: '',
  temperature: '',
  description: '',
}

/** A lead as its form begins. */
export function draftOf(lead: Pick<LeadRecord, DraftField>): LeadDraft {
  return Object.fromEntries(draftFields.map((field) => [field, lead[field] ?? ''])) as Record<DraftField, string>
}

/** What the API is sent for a form. */
export type LeadFields = {
  readonly [Field in DraftField]?: Field extends 'temperature' ? (typeof temperatures)[number] | null : string | null
}

/** The fields in which two drafts differ, as a change; an emptied field is cleared. */
export function changedFields(before: LeadDraft, after: LeadDraft): LeadFields {
  const changed = draftFields.filter((field) => before[field].trim() !== after[field].trim())
  return Object.fromEntries(changed.map((field) => [field, after[field].trim() || null]))
}

/** What a second person's change does to a form that is being filled in. */
export interface Rebased {
  readonly draft: LeadDraft
  /** The fields that the other person changed, with what they hold now. */
  readonly changedMeanwhile: readonly { readonly field: DraftField; readonly value: string }[]
}

/** Puts a form on top of the latest lead: what this person typed stays, every other field takes the latest value. */
export function rebase(draft: LeadDraft, before: LeadDraft, latest: LeadDraft): Rebased {
  const merged = draftFields.map((field) => [field, draft[field] === before[field] ? latest[field] : draft[field]])
  const changed = draftFields.filter((field) => before[field] !== latest[field])
  return {
    draft: Object.fromEntries(merged) as Record<DraftField, string>,
    changedMeanwhile: changed.map((field) => ({ field, value: latest[field] })),
  }
}
