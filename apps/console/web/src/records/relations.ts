import type { RecordPlace } from './record-place.ts'

/** The records that are related to those of a kind. */
export type Relation =
  /** All records of a kind that name the record in a field. */
  | { readonly kind: string; readonly by: string }
  /** The one record of a kind that the record itself names in a field. */
  | { readonly kind: string; readonly in: string }
  /** All records of a kind that are linked to the record. */
  | { readonly kind: 'TASK' | 'ACTIVITY'; readonly by: 'link' }

const documentsOf = (field: string): readonly Relation[] =>
  ['QUOTE', 'ORDER', 'INVOICE'].map((kind) => ({ kind, by: field }))

/** The relations of every kind, in the order in which a page shows them. */
const relations: Readonly<Record<string, readonly Relation[]>> = {
  LEAD: [
    { kind: 'CONTACT', in: 'contactId' },
    { kind: 'COMPANY', in: 'companyId' },
    { kind: 'DEAL', by: 'leadId' },
  ],
  DEAL: [
    { kind: 'COMPANY', in: 'companyId' },
    { kind: 'CONTACT', in: 'contactId' },
    { kind: 'LEAD', in: 'leadId' },
    ...documentsOf('dealId'),
    { kind: 'PROJECT', by: 'dealId' },
  ],
  CONTACT: [
    { kind: 'COMPANY', in: 'companyId' },
    { kind: 'DEAL', by: 'contactId' },
    { kind: 'LEAD', by: 'contactId' },
    ...documentsOf('contactId'),
  ],
  COMPANY: [
    { kind: 'CONTACT', by: 'companyId' },
    { kind: 'DEAL', by: 'companyId' },
    { kind: 'LEAD', by: 'companyId' },
    ...documentsOf('companyId'),
    { kind: 'PROJECT', by: 'companyId' },
    { kind: 'COMPANY', in: 'parentId' },
    { kind: 'COMPANY', by: 'parentId' },
  ],
  PROJECT: [
    { kind: 'COMPANY', in: 'companyId' },
    { kind: 'DEAL', in: 'dealId' },
  ],
}

const ofCustomEntities: readonly Relation[] = [
  { kind: 'TASK', by: 'link' },
  { kind: 'ACTIVITY', by: 'link' },
]

/** Returns the relations of a kind. Records of custom entities have those that any record can have. */
export function relationsOf(entityType: string, isCustom: boolean): readonly Relation[] {
  return relations[entityType] ?? (isCustom ? ofCustomEntities : [])
}

/** What a row says of a related record: an amount, and a field beneath its name. */
interface RowFields {
  readonly amount?: string
  readonly note?: string
}

const rowFields: Readonly<Record<string, RowFields>> = {
  LEAD: { note: 'status' },
  CONTACT: { note: 'jobTitle' },
  COMPANY: { note: 'domain' },
  DEAL: { amount: 'amount', note: 'stageId' },
  PROJECT: { note: 'status' },
  QUOTE: { amount: 'total', note: 'status' },
  ORDER: { amount: 'total', note: 'status' },
  INVOICE: { amount: 'total', note: 'status' },
  TASK: { note: 'dueAt' },
  ACTIVITY: { note: 'type' },
}

/** Returns the fields of a row. */
export function rowFieldsOf(entityType: string): RowFields {
  return rowFields[entityType] ?? {}
}

/** Returns the parameters of the list that finds the related records. */
export function narrowingTo(by: string, { entityType, entityId }: RecordPlace): Readonly<Record<string, string>> {
  return by === 'link' ? { entityType, entityId } : { [by]: entityId }
}
