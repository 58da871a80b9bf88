import { company, contact, deal, lead, type StagedEntity } from '@crm/model'
import { currentTraceparent } from '@crm/runtime'
import type { FieldChange } from './field-change.ts'
import { sql, type SQL } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
  type PgColumn,
} from 'drizzle-orm/pg-core'
import { columnsOf } from '../of-kind.ts'
import {
  createdAt,
  instant,
  isTwin,
  nameOrder,
  rowId,
  searchText,
  stamps,
  viaColumns,
  workspaceId,
} from '../columns.ts'
import { addressKey, folded } from '../folding.ts'
import { employees, workspaces } from './core.ts'
import { industries } from './reference-data.ts'

export const pipelines = pgTable(
  'pipelines',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    entityType: text('entity_type').$type<StagedEntity>().notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    isActive: boolean('is_active').notNull().default(true),
    position: integer('position').notNull().default(0),
    color: text('color'),
    noSkipping: boolean('no_skipping').notNull().default(false),
    noBackwards: boolean('no_backwards').notNull().default(false),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('pipelines_default')
      .on(t.workspaceId, t.entityType)
      .where(sql`${t.isDefault}`),
    uniqueIndex('pipelines_name_folded')
      .on(t.workspaceId, t.entityType, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

export const stages = pgTable(
  'stages',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    pipelineId: uuid('pipeline_id').notNull(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    color: text('color'),
    type: text('type').$type<'OPEN' | 'WON' | 'LOST'>().notNull().default('OPEN'),
    mappedStatus: text('mapped_status').$type<LeadStatus>(),
    probability: smallint('probability'),
    rottingDays: smallint('rotting_days'),
    recordLimit: smallint('record_limit'),
    requiredFields: text('required_fields').array().notNull().default([]),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('stages_in_pipeline').on(t.workspaceId, t.pipelineId, t.id),
    uniqueIndex('stages_name_folded')
      .on(t.workspaceId, t.pipelineId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
    foreignKey({
      columns: [t.workspaceId, t.pipelineId],
      foreignColumns: [pipelines.workspaceId, pipelines.id],
      name: 'stages_pipeline',
    }).onDelete('cascade'),
  ],
)

export const leadSources = pgTable(
  'lead_sources',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    /** `direct` and `booking` are the two sources that the service itself uses, under any name. */
    systemKey: text('system_key').$type<'direct' | 'booking'>(),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('lead_sources_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
    uniqueIndex('lead_sources_system').on(t.workspaceId, t.systemKey),
  ],
)

export interface CustomFieldOption {
  readonly value: string
  readonly label: string
}

export const customFields = pgTable(
  'custom_fields',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    entityType: text('entity_type').notNull(),
    key: text('key').notNull(),
    label: text('label').notNull(),
    type: text('type').notNull(),
    options: jsonb('options').$type<CustomFieldOption[]>().notNull().default([]),
    isRequired: boolean('is_required').notNull().default(false),
    position: integer('position').notNull().default(0),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('custom_fields_key').on(t.workspaceId, t.entityType, t.key),
  ],
)

/** A field that was removed from its records; its values are kept here for a while, during which its key is reserved. */
export const retiredFields = pgTable(
  'retired_fields',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    entityType: text('entity_type').notNull(),
    key: text('key').notNull(),
    /** The field's definition before. */
    definition: jsonb('definition').$type<RetiredDefinition>().notNull(),
    /** How many records had a value. */
    valueCount: integer('value_count').notNull(),
    retiredAt: instant('retired_at').notNull(),
    purgeAt: instant('purge_at').notNull(),
    retiredById: uuid('retired_by_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('retired_fields_key').on(t.workspaceId, t.entityType, t.key),
    index('retired_fields_due').on(t.purgeAt),
  ],
)

export interface RetiredDefinition {
  readonly label: string
  readonly type: string
  readonly options: CustomFieldOption[]
  readonly isRequired: boolean
  readonly position?: number
}

/** The value of one record in a retired field. */
export const retiredFieldValues = pgTable(
  'retired_field_values',
  {
    workspaceId: workspaceId(),
    fieldId: uuid('field_id').notNull(),
    recordId: uuid('record_id').notNull(),
    value: jsonb('value').$type<unknown>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.fieldId, t.recordId] }),
    foreignKey({
      columns: [t.workspaceId, t.fieldId],
      foreignColumns: [retiredFields.workspaceId, retiredFields.id],
      name: 'retired_field_values_field',
    }).onDelete('cascade'),
  ],
)

export type LeadStatus = 'NEW' | 'IN_PROGRESS' | 'QUALIFIED' | 'CONVERTED' | 'UNQUALIFIED'

export interface Messenger {
  readonly type: 'TELEGRAM' | 'WHATSAPP' | 'VIBER' | 'SIGNAL' | 'MESSENGER' | 'INSTAGRAM' | 'OTHER'
  readonly handle: string
}

export interface Address {
  readonly line1?: string | null
  readonly line2?: string | null
  readonly city?: string | null
  readonly region?: string | null
  readonly postalCode?: string | null
  readonly country?: string | null
}

/** The columns of every owned record. */
export const owned = () => ({
  ownerId: uuid('owner_id'),
  departmentId: uuid('department_id'),
  tags: text('tags').array().notNull().default([]),
  customFields: jsonb('custom_fields').$type<Record<string, unknown>>().notNull().default({}),
  version: integer('version').notNull().default(1),
  externalSource: text('external_source'),
  externalId: text('external_id'),
  deletedAt: instant('deleted_at'),
  ...stamps(),
})

/** The number of open tasks, which the database counts (docs/decisions/follow-ups.md). */
const openTaskCount = () => integer('open_task_count').notNull().default(0)

/** A product of a deal: prices and quantities as decimal strings. */
export interface DealItem {
  readonly productId?: string | null
  readonly name: string
  readonly quantity: string
  readonly unitPrice: string
  readonly discount: string
}

/** The index that finds a record by its key in another program, which no other record may have. */
export const keyIndex = (
  name: string,
  t: Pick<OwnedColumns, 'workspaceId' | 'deletedAt'> & {
    readonly externalSource: PgColumn
    readonly externalId: PgColumn
  },
) =>
  uniqueIndex(`${name}_external_key`)
    .on(t.workspaceId, t.externalSource, t.externalId)
    .where(sql`${t.externalId} is not null and ${t.deletedAt} is null`)

interface OwnedColumns {
  readonly workspaceId: PgColumn
  readonly id: PgColumn
  readonly externalSource: PgColumn
  readonly externalId: PgColumn
  readonly createdAt: PgColumn
  readonly ownerId: PgColumn
  readonly departmentId: PgColumn
  readonly deletedAt: PgColumn
}

/** The index that finds the few deleted records of a kind among the many others. */
export const deletedIndex = (name: string, t: Pick<OwnedColumns, 'workspaceId' | 'deletedAt'>) =>
  index(`${name}_deleted`)
    .on(t.workspaceId, t.deletedAt)
    .where(sql`${t.deletedAt} is not null`)

/** The indexes of every kind of owned record: lists, newest first, in all and by owner and department, and the deleted records. */
export const ownedIndexes = (name: string, t: OwnedColumns) => [
  deletedIndex(name, t),
  keyIndex(name, t),
  index(`${name}_newest`)
    .on(t.workspaceId, t.createdAt, t.id)
    .where(sql`${t.deletedAt} is null`),
  index(`${name}_by_owner`)
    .on(t.workspaceId, t.ownerId, t.createdAt, t.id)
    .where(sql`${t.deletedAt} is null`),
  index(`${name}_by_department`)
    .on(t.workspaceId, t.departmentId, t.createdAt, t.id)
    .where(sql`${t.deletedAt} is null`),
]

/**
 * The indexes of the orders in which lists are offered, besides the newest first, by name (docs/decisions/growth.md). Each serves both
 * directions.
 */
export const orderIndexes = (
  name: string,
  t: Pick<OwnedColumns, 'workspaceId' | 'id' | 'deletedAt'>,
  orders: Readonly<Record<string, PgColumn | SQL>>,
) =>
  Object.entries(orders).map(([order, by]) =>
    index(`${name}_in_order_of_${order}`)
      .on(t.workspaceId, by, t.id)
      .where(sql`${t.deletedAt} is null`),
  )

/** The index of records by their tags; few records have any, and a condition has to say so for the index to be used. */
export const tagIndex = (name: string, t: { readonly workspaceId: PgColumn; readonly tags: PgColumn } & Deletable) =>
  index(`${name}_by_tag`)
    .using('gin', t.workspaceId, t.tags)
    .where(sql`${t.deletedAt} is null and cardinality(${t.tags}) > 0`)

/** The same index by folded tags: VIP and vip are one. It takes the place of the other one, which the version before still uses. */
export const foldedTagIndex = (
  name: string,
  t: { readonly workspaceId: PgColumn; readonly tags: PgColumn } & Deletable,
) =>
  index(`${name}_by_folded_tag`)
    .using('gin', t.workspaceId, sql`crm_fold_all(${t.tags})`)
    .where(sql`${t.deletedAt} is null and cardinality(${t.tags}) > 0`)

/** The index of records by the values of their custom fields. */
export const customFieldIndex = (
  name: string,
  t: { readonly workspaceId: PgColumn; readonly customFields: PgColumn } & Deletable,
) =>
  index(`${name}_by_custom_field`)
    .using('gin', t.workspaceId, sql`${t.customFields} jsonb_path_ops`)
    .where(sql`${t.deletedAt} is null and ${t.customFields} <> '{}'`)

interface Deletable {
  readonly deletedAt: PgColumn
}

/** The further orders of records that are followed up. */
const followUpOrders = (t: Pick<FollowedUpColumns, 'nextTaskAt' | 'lastActivityAt'>) => ({
  next_task: t.nextTaskAt,
  last_activity: t.lastActivityAt,
})

interface FollowedUpColumns extends OwnedColumns {
  readonly nextTaskAt: PgColumn
  readonly openTaskCount: PgColumn
  readonly lastActivityAt: PgColumn
}

/** The indexes of records that are followed up: records with open tasks, and records with a last activity dated before their creation. */
const followUpIndexes = (name: string, t: FollowedUpColumns) => [
  index(`${name}_open_tasks`)
    .on(t.workspaceId, t.nextTaskAt)
    .where(sql`${t.deletedAt} is null and ${t.openTaskCount} > 0`),
  index(`${name}_backdated`)
    .on(t.workspaceId, t.createdAt, t.id)
    .where(sql`${t.deletedAt} is null and ${t.lastActivityAt} < ${t.createdAt}`),
]

/** The index that finds the last activity with the people or in the deals of a company. */
const companyActivityIndex = (name: string, t: FollowedUpColumns & { readonly companyId: PgColumn }) =>
  index(`${name}_company_activity`)
    .on(t.workspaceId, t.companyId, t.lastActivityAt)
    .where(sql`${t.deletedAt} is null and ${t.lastActivityAt} is not null`)

export const leads = pgTable(
  'leads',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(lead),
    messengers: jsonb('messengers').$type<Messenger[]>().notNull().default([]),
    score: smallint('score').notNull().default(0),
    statusChangedAt: instant('status_changed_at')
      .notNull()
      .default(sql`now()`),
    stageChangedAt: instant('stage_changed_at')
      .notNull()
      .default(sql`now()`),
    openTaskCount: openTaskCount(),
    mergedIntoId: uuid('merged_into_id'),
    ...owned(),
    searchText: searchText(
      sql`coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')`,
    ),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    deletedIndex('leads', t),
    keyIndex('leads', t),
    ...followUpIndexes('leads', t),
    customFieldIndex('leads', t),
    tagIndex('leads', t),
    foldedTagIndex('leads', t),
    ...orderIndexes('leads', t, {
      ...followUpOrders(t),
      change: t.updatedAt,
      last_name: nameOrder(t.lastName),
      company_name: nameOrder(t.companyName),
      status: t.status,
      score: t.score,
      stage: t.stageId,
      stage_change: t.stageChangedAt,
    }),
    index('leads_newest')
      .on(t.workspaceId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('leads_by_status')
      .on(t.workspaceId, t.status, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('leads_by_stage')
      .on(t.workspaceId, t.stageId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('leads_by_owner')
      .on(t.workspaceId, t.ownerId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('leads_by_department')
      .on(t.workspaceId, t.departmentId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('leads_by_temperature')
      .on(t.workspaceId, t.temperature, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('leads_by_messenger')
      .using('gin', t.workspaceId, sql`${t.messengers} jsonb_path_ops`)
      .where(sql`${t.deletedAt} is null and ${t.messengers} <> '[]'`),
    index('leads_by_contact')
      .on(t.workspaceId, t.contactId)
      .where(sql`${t.contactId} is not null`),
    index('leads_by_company')
      .on(t.workspaceId, t.companyId)
      .where(sql`${t.companyId} is not null`),
    index('leads_by_deal')
      .on(t.workspaceId, t.dealId)
      .where(sql`${t.dealId} is not null`),
    index('leads_by_email_folded')
      .on(t.workspaceId, addressKey(t.email))
      .where(sql`${t.deletedAt} is null and ${t.email} is not null`),
    index('leads_by_phone')
      .on(t.workspaceId, t.phone)
      .where(sql`${t.deletedAt} is null and ${t.phone} is not null`),
    foreignKey({
      columns: [t.workspaceId, t.pipelineId, t.stageId],
      foreignColumns: [stages.workspaceId, stages.pipelineId, stages.id],
      name: 'leads_stage',
    }),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'leads_owner',
    }),
    foreignKey({
      columns: [t.workspaceId, t.sourceId],
      foreignColumns: [leadSources.workspaceId, leadSources.id],
      name: 'leads_source',
    }),
  ],
)

export const companies = pgTable(
  'companies',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(company),
    openTaskCount: openTaskCount(),
    mergedIntoId: uuid('merged_into_id'),
    ...owned(),
    searchText: searchText(
      sql`name || ' ' || coalesce(domain, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(website, '')`,
    ),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('companies', t),
    customFieldIndex('companies', t),
    tagIndex('companies', t),
    foldedTagIndex('companies', t),
    ...orderIndexes('companies', t, { ...followUpOrders(t), change: t.updatedAt, domain: nameOrder(t.domain) }),
    index('companies_by_email')
      .on(t.workspaceId, addressKey(t.email))
      .where(sql`${t.email} is not null`),
    index('companies_by_phone')
      .on(t.workspaceId, t.phone)
      .where(sql`${t.phone} is not null`),
    ...followUpIndexes('companies', t),
    index('companies_by_industry').on(t.workspaceId, t.industryId),
    index('companies_by_parent').on(t.workspaceId, t.parentId),
    foreignKey({
      columns: [t.workspaceId, t.parentId],
      foreignColumns: [t.workspaceId, t.id],
      name: 'companies_parent',
    }),
    foreignKey({
      columns: [t.workspaceId, t.industryId],
      foreignColumns: [industries.workspaceId, industries.id],
      name: 'companies_industry',
    }),
    index('companies_in_order')
      .on(t.workspaceId, nameOrder(t.name), t.id)
      .where(sql`${t.deletedAt} is null`),
    index('companies_by_name_folded').on(t.workspaceId, folded(t.name)),
    index('companies_by_domain_folded').on(t.workspaceId, addressKey(t.domain)),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'companies_owner',
    }),
  ],
)

export const contacts = pgTable(
  'contacts',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(contact),
    messengers: jsonb('messengers').$type<Messenger[]>().notNull().default([]),
    socials: jsonb('socials').$type<Record<string, string>>().notNull().default({}),
    openTaskCount: openTaskCount(),
    mergedIntoId: uuid('merged_into_id'),
    ...owned(),
    searchText: searchText(
      sql`coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || crm_words(emails) || ' ' || crm_words(phones)`,
    ),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('contacts', t),
    customFieldIndex('contacts', t),
    tagIndex('contacts', t),
    foldedTagIndex('contacts', t),
    ...orderIndexes('contacts', t, {
      ...followUpOrders(t),
      change: t.updatedAt,
      first_name: nameOrder(t.firstName),
      email: nameOrder(t.email),
    }),
    ...followUpIndexes('contacts', t),
    companyActivityIndex('contacts', t),
    index('contacts_by_company').on(t.workspaceId, t.companyId),
    index('contacts_in_order')
      .on(t.workspaceId, nameOrder(t.lastName), t.id)
      .where(sql`${t.deletedAt} is null`),
    index('contacts_by_email_folded').on(t.workspaceId, addressKey(t.email)),
    index('contacts_by_phone').on(t.workspaceId, t.phone),
    // Few people have further addresses and numbers; an import looks for each of them.
    index('contacts_further_emails')
      .using('gin', t.workspaceId, sql`string_to_array(${addressKey(sql`crm_words(${t.emails})`)}, ' ')`)
      .where(sql`cardinality(${t.emails}) > 0`),
    index('contacts_further_phones')
      .using('gin', t.workspaceId, t.phones)
      .where(sql`cardinality(${t.phones}) > 0`),
    foreignKey({
      columns: [t.workspaceId, t.companyId],
      foreignColumns: [companies.workspaceId, companies.id],
      name: 'contacts_company',
    }),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'contacts_owner',
    }),
  ],
)

export const deals = pgTable(
  'deals',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    ...columnsOf(deal),
    items: jsonb('items').$type<DealItem[]>().notNull().default([]),
    stageChangedAt: instant('stage_changed_at')
      .notNull()
      .default(sql`now()`),
    openTaskCount: openTaskCount(),
    ...owned(),
    searchText: searchText(sql`name`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    ...ownedIndexes('deals', t),
    customFieldIndex('deals', t),
    tagIndex('deals', t),
    foldedTagIndex('deals', t),
    ...orderIndexes('deals', t, {
      ...followUpOrders(t),
      change: t.updatedAt,
      amount: t.amount,
      status: t.status,
      stage: t.stageId,
      close_date: t.expectedCloseDate,
      stage_change: t.stageChangedAt,
    }),
    index('deals_in_order')
      .on(t.workspaceId, nameOrder(t.name), t.id)
      .where(sql`${t.deletedAt} is null`),
    ...followUpIndexes('deals', t),
    companyActivityIndex('deals', t),
    index('deals_by_stage')
      .on(t.workspaceId, t.stageId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('deals_by_status')
      .on(t.workspaceId, t.status, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('deals_by_contact').on(t.workspaceId, t.contactId),
    index('deals_by_lead')
      .on(t.workspaceId, t.leadId)
      .where(sql`${t.leadId} is not null`),
    index('deals_by_company').on(t.workspaceId, t.companyId),
    foreignKey({
      columns: [t.workspaceId, t.pipelineId, t.stageId],
      foreignColumns: [stages.workspaceId, stages.pipelineId, stages.id],
      name: 'deals_stage',
    }),
    foreignKey({
      columns: [t.workspaceId, t.contactId],
      foreignColumns: [contacts.workspaceId, contacts.id],
      name: 'deals_contact',
    }),
    foreignKey({
      columns: [t.workspaceId, t.companyId],
      foreignColumns: [companies.workspaceId, companies.id],
      name: 'deals_company',
    }),
    foreignKey({
      columns: [t.workspaceId, t.ownerId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'deals_owner',
    }),
  ],
)

export const comments = pgTable(
  'comments',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
    body: text('body').notNull(),
    visibility: text('visibility').$type<'INTERNAL' | 'SHARED'>().notNull().default('INTERNAL'),
    authorType: text('author_type').$type<'EMPLOYEE' | 'EXTERNAL'>().notNull(),
    authorId: uuid('author_id'),
    authorName: text('author_name').notNull(),
    authorEmail: text('author_email'),
    externalSource: text('external_source'),
    externalId: text('external_id'),
    parentId: uuid('parent_id'),
    mentions: uuid('mentions').array().notNull().default([]),
    fileIds: uuid('file_ids').array().notNull().default([]),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('comments_of_record').on(t.workspaceId, t.entityType, t.entityId, t.id),
    index('comments_by_parent')
      .on(t.workspaceId, t.parentId)
      .where(sql`${t.parentId} is not null`),
    uniqueIndex('comments_external').on(t.workspaceId, t.externalSource, t.externalId),
    foreignKey({
      columns: [t.workspaceId, t.parentId],
      foreignColumns: [t.workspaceId, t.id],
      name: 'comments_parent',
    }).onDelete('cascade'),
  ],
)

export const timeline = pgTable(
  'timeline',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
    kind: text('kind').notNull(),
    occurredAt: instant('occurred_at')
      .notNull()
      .default(sql`now()`),
    actorType: text('actor_type').$type<'EMPLOYEE' | 'EXTERNAL' | 'SYSTEM'>().notNull(),
    actorId: uuid('actor_id'),
    actorName: text('actor_name').notNull(),
    source: text('source').notNull(),
    changes: jsonb('changes').$type<FieldChange[]>().notNull().default([]),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    relatedType: text('related_type'),
    relatedId: uuid('related_id'),
    /** The operation that the entry is a part of, where it can be undone. */
    operationId: uuid('operation_id'),
    /** The operation that the entry is a part of, such as a request; null for entries from before there were groups. */
    groupId: uuid('group_id'),
    ...viaColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('timeline_of_record').on(t.workspaceId, t.entityType, t.entityId, t.id),
    // An event of several records is reported once; this index finds its other entries.
    index('timeline_by_related')
      .on(t.workspaceId, t.relatedType, t.relatedId)
      .where(sql`${t.relatedId} is not null`),
    index('timeline_of_operation')
      .on(t.workspaceId, t.operationId, t.entityId)
      .where(sql`${t.operationId} is not null`),
    index('timeline_by_via')
      .on(t.workspaceId, t.viaId, t.id)
      .where(sql`${t.viaId} is not null`),
    index('timeline_of_agent')
      .on(t.workspaceId, t.viaId, t.occurredAt)
      .where(sql`${t.viaId} is not null`),
  ],
)

/** A ledger of record counts: the sum of `n` is their number; every write adds rows, compaction folds them (docs/decisions/totals.md). */
export const recordCounts = pgTable(
  'record_counts',
  {
    workspaceId: workspaceId(),
    entityType: text('entity_type').notNull(),
    id: bigint('id', { mode: 'bigint' }).generatedAlwaysAsIdentity(),
    ownerId: uuid('owner_id'),
    /** The owner, or the creator of a record without one. */
    holderId: uuid('holder_id'),
    departmentId: uuid('department_id'),
    pipelineId: uuid('pipeline_id'),
    stageId: uuid('stage_id'),
    status: text('status'),
    n: integer('n').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.entityType, t.id] })],
)

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    workspaceId: workspaceId(),
    employeeId: uuid('employee_id').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    /** The request that holds the key while it runs. */
    claimId: uuid('claim_id').notNull(),
    leaseUntil: instant('lease_until').notNull(),
    status: smallint('status'),
    body: text('body'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.employeeId, t.key] }),
    index('idempotency_keys_expiry').on(t.expiresAt),
  ],
)

/** Events, written in the transaction of the change; the relay passes their ids on (docs/decisions/outbox.md). */
export const outbox = pgTable(
  'outbox',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    /** `change`: a record changed; `run`, `rule`: a run of a workflow or rule is queued; `access`: callers must be resolved again. */
    topic: text('topic').$type<'change' | 'run' | 'rule' | 'access' | 'job' | 'mail'>().notNull(),
    /** The event's name, for example `lead.created`. */
    event: text('event').notNull(),
    entityType: text('entity_type'),
    entityId: uuid('entity_id'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
    relayedAt: instant('relayed_at'),
    attempts: smallint('attempts').notNull().default(0),
    doneAt: instant('done_at'),
    /** The version of the row's meaning. A consumer leaves a row of a later version to the processes that know it. */
    version: smallint('version').notNull().default(1),
    /** The trace that the work belongs to, as in the header of that name. */
    traceparent: text('traceparent').$defaultFn(() => currentTraceparent() ?? sql`NULL`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('outbox_waiting')
      .on(t.topic, t.id)
      .where(sql`${t.relayedAt} is null and ${t.doneAt} is null`),
    index('outbox_relayed')
      .on(t.topic, t.relayedAt)
      .where(sql`${t.relayedAt} is not null and ${t.doneAt} is null`),
    index('outbox_done')
      .on(t.doneAt)
      .where(sql`${t.doneAt} is not null`),
  ],
)

export const jobs = pgTable(
  'jobs',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    kind: text('kind').notNull(),
    employeeId: uuid('employee_id').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull().default({}),
    state: text('state').$type<'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED'>().notNull().default('QUEUED'),
    total: integer('total').notNull().default(0),
    processed: integer('processed').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    errors: jsonb('errors').$type<{ id: string; code: string; message: string }[]>().notNull().default([]),
    cursor: text('cursor'),
    /** What the work says of itself besides counts. */
    result: jsonb('result').$type<Record<string, unknown>>(),
    leaseUntil: instant('lease_until'),
    createdAt: createdAt(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('jobs_open')
      .on(t.createdAt)
      .where(sql`${t.state} in ('QUEUED', 'RUNNING')`),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'jobs_employee',
    }).onDelete('cascade'),
  ],
)

/** Rows that a merge let point to the record that stays. */
export interface MergedRows {
  readonly table: string
  readonly column: string
  /** The merged record to which they pointed. */
  readonly from: string
  readonly ids: readonly string[]
}

/** Links of merged records: rows that went, and rows of the record that stays that came in their place. */
export interface MergedLinks {
  readonly table: string
  readonly gone: readonly object[]
  readonly added: readonly object[]
}

/** Merges that can still be undone: ids only, because the history holds the values. */
export const merges = pgTable(
  'merges',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    entityType: text('entity_type').notNull(),
    survivorId: uuid('survivor_id').notNull(),
    sourceIds: uuid('source_ids').array().notNull(),
    actorId: uuid('actor_id'),
    rows: jsonb('rows').$type<MergedRows[]>().notNull(),
    links: jsonb('links').$type<MergedLinks[]>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.id] }), index('merges_by_age').on(t.workspaceId, t.createdAt)],
)
