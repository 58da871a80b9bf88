import type { EntityType } from '@crm/permissions'
import * as z from 'zod'
import type { FilterOperator } from './condition-groups.ts'
import { codeLabel, fieldLabel } from './field-labels.ts'
import { address, phone } from './fields.ts'
import { own } from './own.ts'
import { recordOperations, shownRecord } from './record-operations.ts'
import { originFields } from './resources/leads.ts'
import type { RecordField, RecordFieldType } from './resources/schema.ts'

/** The description of a kind of record for people, besides its fields. */
interface KindDeclaration {
  readonly noun: string
  readonly plural: string
  readonly icon: string
  /** The fields that name a record. */
  readonly titleFields: readonly string[]
  /** The fields that people fill in and read first, in order. */
  readonly main: readonly string[]
  /** The defaults of a new record; the default owner is its creator. */
  readonly defaults?: Readonly<Record<string, string>>
}

/** The described kinds of record, in the order in which people meet them. */
const declarations: Partial<Record<EntityType, KindDeclaration>> = {
  LEAD: {
    noun: 'lead',
    plural: 'leads',
    icon: 'leads',
    titleFields: ['firstName', 'lastName'],
    main: [
      'firstName',
      'lastName',
      'companyName',
      'jobTitle',
      'email',
      'phone',
      'ownerId',
      'sourceId',
      'pipelineId',
      'stageId',
      'temperature',
      'tags',
    ],
  },
  DEAL: {
    noun: 'deal',
    plural: 'deals',
    icon: 'deals',
    titleFields: ['name'],
    main: [
      'name',
      'companyId',
      'contactId',
      'amount',
      'currency',
      'expectedCloseDate',
      'ownerId',
      'pipelineId',
      'stageId',
      'tags',
    ],
  },
  CONTACT: {
    noun: 'contact',
    plural: 'contacts',
    icon: 'contacts',
    titleFields: ['firstName', 'lastName'],
    main: ['firstName', 'lastName', 'companyId', 'jobTitle', 'email', 'phone', 'ownerId', 'tags'],
  },
  COMPANY: {
    noun: 'company',
    plural: 'companies',
    icon: 'companies',
    titleFields: ['name'],
    main: ['name', 'domain', 'email', 'phone', 'industryId', 'size', 'website', 'ownerId', 'tags'],
  },
  TASK: {
    noun: 'task',
    plural: 'tasks',
    icon: 'tasks',
    titleFields: ['title'],
    main: ['title', 'status', 'priority', 'assigneeId', 'dueAt', 'startAt', 'projectId', 'tags', 'description'],
    defaults: { status: 'TODO', priority: 'NORMAL', assigneeId: 'me' },
  },
  PROJECT: {
    noun: 'project',
    plural: 'projects',
    icon: 'projects',
    titleFields: ['name'],
    main: [
      'name',
      'status',
      'companyId',
      'dealId',
      'startDate',
      'endDate',
      'progress',
      'budget',
      'currency',
      'ownerId',
      'memberIds',
      'tags',
    ],
    defaults: { status: 'PLANNED' },
  },
  ACTIVITY: {
    noun: 'activity',
    plural: 'activities',
    icon: 'calendar',
    titleFields: ['subject'],
    main: ['type', 'subject', 'status', 'startAt', 'endAt', 'outcome', 'ownerId'],
  },
  QUOTE: {
    noun: 'quote',
    plural: 'quotes',
    icon: 'quote',
    titleFields: ['number'],
    main: ['number', 'status', 'companyId', 'contactId', 'dealId', 'total', 'currency', 'expiresAt', 'ownerId'],
  },
  ORDER: {
    noun: 'order',
    plural: 'orders',
    icon: 'order',
    titleFields: ['number'],
    main: ['number', 'status', 'companyId', 'contactId', 'dealId', 'total', 'currency', 'ownerId'],
  },
  INVOICE: {
    noun: 'invoice',
    plural: 'invoices',
    icon: 'invoice',
    titleFields: ['number'],
    main: ['number', 'status', 'companyId', 'contactId', 'dealId', 'total', 'currency', 'dueDate', 'ownerId'],
  },
  PRODUCT: {
    noun: 'product',
    plural: 'products',
    icon: 'products',
    titleFields: ['name'],
    main: ['name', 'sku', 'type', 'basePrice', 'currency', 'taxRateId', 'unitId', 'categoryId', 'status', 'tags'],
    defaults: { type: 'GOODS', status: 'ACTIVE' },
  },
  PRICE_LIST: {
    noun: 'price list',
    plural: 'price lists',
    icon: 'prices',
    titleFields: ['name'],
    main: ['name', 'currency', 'priority', 'startsAt', 'endsAt', 'companyIds', 'isDefault', 'isActive'],
    defaults: { isActive: 'true' },
  },
  DOCUMENT: {
    noun: 'document template',
    plural: 'document templates',
    icon: 'documents',
    titleFields: ['name'],
    main: ['name', 'kind', 'body', 'ownerId', 'tags'],
  },
}

/** The description of a kind of record that is the same in every workspace. */
export interface DescribedKind extends KindDeclaration {
  readonly fields: readonly RecordField[]
}

/** The described built-in entity types, in order. */
export const describedEntityTypes = Object.keys(declarations) as EntityType[]

/** The fields of every custom entity's records, besides the fields that its workspace declares. */
const customDeclaration = { titleFields: ['title'], main: ['title', 'ownerId', 'tags'] }

/** Bounded: one for each declared entity type, and one for the records of all custom entities. */
const described = new Map<string, readonly RecordField[]>()

/** Returns the names and fields of a built-in kind of record; undefined for all others. */
export function describeKind(entityType: string): DescribedKind | undefined {
  const declaration = declarations[entityType as EntityType]
  return declaration && { ...declaration, fields: fieldsOnce(entityType, declaration) }
}

/** Returns the built-in fields of records of custom entities. */
export function describeCustomRecords(): readonly RecordField[] {
  // These fields are the same for every custom entity.
  return fieldsOnce('CUSTOM_ENTITY', customDeclaration)
}

function fieldsOnce(entityType: string, order: FieldOrder): readonly RecordField[] {
  const known = described.get(entityType) ?? describeFields(entityType, order)
  described.set(entityType, known)
  return known
}

/** A custom field in a description. */
export interface DeclaredField {
  readonly key: string
  readonly label: string
  readonly type: string
  readonly options: readonly { readonly value: string; readonly label?: string }[]
  readonly isRequired: boolean
}

const customTextMax = 5_000
const unsortable: readonly string[] = ['MULTI_SELECT']

/** Describes a custom field; an option without a label is labelled with its value. */
export function describeCustomField({ key, label, type, options, isRequired }: DeclaredField): RecordField {
  const isNumber = ['NUMBER', 'CURRENCY', 'PERCENTAGE', 'RATING'].includes(type)
  const isTime = type === 'DATE' || type === 'DATETIME'
  return {
    key: `${customFieldPrefix}${key}`,
    label,
    type: type as RecordFieldType,
    options: options.map(({ value, label: name = value }) => ({ value, label: name })),
    references: null,
    group: 'CUSTOM',
    maxLength: type === 'TEXT' ? customTextMax : null,
    required: isRequired,
    requiredInStages: [],
    readOnly: false,
    default: null,
    operators: [...customFieldOperators(type)],
    sortable: !unsortable.includes(type),
    aggregates: isNumber ? ['sum', 'avg', 'min', 'max'] : isTime ? ['min', 'max'] : [],
  }
}

/** The prefix of custom field keys where they stand beside built-in fields. */
export const customFieldPrefix = 'cf_'

/** The kind of record that the ids of a field refer to, by field; `SAME` is the kind of the record itself. */
const referred: Readonly<Record<string, string>> = {
  ownerId: 'EMPLOYEE',
  createdById: 'EMPLOYEE',
  assigneeId: 'EMPLOYEE',
  memberIds: 'EMPLOYEE',
  departmentId: 'DEPARTMENT',
  pipelineId: 'PIPELINE',
  stageId: 'STAGE',
  sourceId: 'LEAD_SOURCE',
  industryId: 'INDUSTRY',
  categoryId: 'PRODUCT_CATEGORY',
  unitId: 'UNIT',
  taxRateId: 'TAX_RATE',
  contactId: 'CONTACT',
  companyId: 'COMPANY',
  companyIds: 'COMPANY',
  leadId: 'LEAD',
  dealId: 'DEAL',
  projectId: 'PROJECT',
  quoteId: 'QUOTE',
  orderId: 'ORDER',
  invoiceId: 'INVOICE',
  parentId: 'SAME',
  parentTaskId: 'SAME',
  currency: 'CURRENCY',
}

/** Returns what the ids of a field refer to: an entity type, `STAGE`, `LEAD_SOURCE`, …; null for a field without ids. */
export function referenceOf(entityType: string, field: string): string | null {
  const named = own(referred, field)
  return named === 'SAME' ? entityType : (named ?? null)
}

/** The properties of records that are not described as fields. */
const notFields: readonly string[] = [
  'id',
  'version',
  'entityKey',
  'customFields',
  'values',
  'items',
  'taxes',
  'discount',
  'checklist',
  'images',
  'attributes',
  'links',
  'participants',
]
/** The fields that are no values of the record itself, so that no list can compare them. */
const notCompared: readonly string[] = ['paymentLinkUrl']
const percentages: readonly string[] = ['probability', 'progress']
/** The most characters of a one-line text; a text that may be longer is edited on several lines. */
const lineCharactersMax = 2_000

type FieldOrder = Pick<KindDeclaration, 'main' | 'defaults'>

function describeFields(entityType: string, { main, defaults = {} }: FieldOrder): RecordField[] {
  const { create, update, list, summary } = recordOperations(entityType) ?? {}
  const shown = shownRecord(entityType)?.shape ?? {}
  const canFilter = 'filter' in (list?.query?.shape ?? {})
  const [creates, changes] = [shapeOf(create?.body), shapeOf(update?.body)]
  const keys = Object.keys(shown).filter((key) => !notFields.includes(key))
  const ordered = [...main.filter((key) => keys.includes(key)), ...keys.filter((key) => !main.includes(key))]
  return ordered.map((key) => {
    const written = own(changes, key) ?? own(creates, key)
    const type = typeOf(key, shown[key] as z.ZodType, written)
    const measure = own(summary?.summarized?.measures ?? {}, key)
    return {
      key,
      label: fieldLabel(key),
      type,
      options: optionsOf(shown[key] as z.ZodType),
      references: type === 'REFERENCE' || type === 'REFERENCE_LIST' ? referenceOf(entityType, key) : null,
      group: groupOf(key, main, written !== undefined),
      maxLength: maxLengthOf(written),
      required: own(creates, key)?.safeParse(undefined).success === false,
      requiredInStages: [],
      readOnly: written === undefined,
      default: own(defaults, key) ?? (key === 'ownerId' ? 'me' : null),
      operators: canFilter && !notCompared.includes(key) ? operatorsOf(type, isNullable(shown[key] as z.ZodType)) : [],
      sortable: isSortable(key, list?.query),
      aggregates:
        measure === undefined
          ? []
          : measure === 'number' || measure === 'money'
            ? ['sum', 'avg', 'min', 'max']
            : ['min', 'max'],
    }
  })
}

function groupOf(key: string, main: readonly string[], isWritten: boolean): RecordField['group'] {
  if (main.includes(key)) return 'MAIN'
  if (!isWritten) return 'SYSTEM'
  return (originFields as readonly string[]).includes(key) ? 'ORIGIN' : 'MORE'
}

function typeOf(key: string, shown: z.ZodType, written: z.ZodType | undefined): RecordFieldType {
  const inner = bare(shown)
  if (key === 'tags') return 'TAGS'
  if (Object.hasOwn(referred, key)) return inner instanceof z.ZodArray ? 'REFERENCE_LIST' : 'REFERENCE'
  if (inner instanceof z.ZodEnum) return 'SELECT'
  if (inner instanceof z.ZodBoolean) return 'BOOLEAN'
  if (inner instanceof z.ZodNumber) return percentages.includes(key) ? 'PERCENTAGE' : 'NUMBER'
  if (inner instanceof z.ZodArray)
    return bare(inner.element as z.ZodType) instanceof z.ZodString ? 'TEXT_LIST' : 'OTHER'
  if (inner === address) return 'ADDRESS'
  if (!(inner instanceof z.ZodString)) return 'OTHER'
  return byFormat[formatOf(shown) ?? formatOf(written) ?? ''] ?? textTypeOf(written)
}

const byFormat: Readonly<Record<string, RecordFieldType>> = {
  'date-time': 'DATETIME',
  date: 'DATE',
  decimal: 'CURRENCY',
  email: 'EMAIL',
  uuid: 'OTHER',
}

function textTypeOf(written: z.ZodType | undefined): RecordFieldType {
  if (layersOf(written).includes(phone)) return 'PHONE'
  return (maxLengthOf(written) ?? 0) > lineCharactersMax ? 'LONG_TEXT' : 'TEXT'
}

function optionsOf(shown: z.ZodType): RecordField['options'] {
  const inner = bare(shown)
  if (!(inner instanceof z.ZodEnum)) return []
  return inner.options.map((value) => ({ value: String(value), label: codeLabel(String(value)) }))
}

const textOperators = ['is', 'isNot', 'in', 'contains', 'startsWith'] as const
const choiceOperators = ['is', 'isNot', 'in'] as const
const orderedOperators = ['is', 'isNot', 'gt', 'gte', 'lt', 'lte', 'between'] as const
const emptiness = ['empty', 'notEmpty'] as const

const operatorsByType: Readonly<Record<RecordFieldType, readonly FilterOperator[]>> = {
  TEXT: textOperators,
  LONG_TEXT: textOperators,
  EMAIL: textOperators,
  PHONE: textOperators,
  SELECT: choiceOperators,
  MULTI_SELECT: choiceOperators,
  REFERENCE: choiceOperators,
  REFERENCE_LIST: choiceOperators,
  TAGS: choiceOperators,
  TEXT_LIST: choiceOperators,
  BOOLEAN: ['is', 'isNot'],
  NUMBER: orderedOperators,
  CURRENCY: orderedOperators,
  PERCENTAGE: orderedOperators,
  RATING: orderedOperators,
  DATE: orderedOperators,
  DATETIME: orderedOperators,
  ADDRESS: [],
  OTHER: [],
}

/** Returns the operators by which a custom field of a type is filtered. */
export function customFieldOperators(type: string): readonly FilterOperator[] {
  return operatorsOf(type as RecordFieldType, true)
}

function operatorsOf(type: RecordFieldType, canBeEmpty: boolean): FilterOperator[] {
  const known = operatorsByType[type] ?? []
  return known.length > 0 && canBeEmpty ? [...known, ...emptiness] : [...known]
}

/** Whether records may lack a value of a field. A list of values can always be empty. */
function isNullable(shown: z.ZodType): boolean {
  return layersOf(shown).some((layer) => layer instanceof z.ZodNullable) || bare(shown) instanceof z.ZodArray
}

function isSortable(key: string, query: z.ZodObject | undefined): boolean {
  const { sortBy, sort } = query?.shape ?? {}
  if (sortBy) return (sortBy as z.ZodType).safeParse(key).success
  return sort !== undefined && (sort as z.ZodType).safeParse(`${key}:asc`).success
}

function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  const inner = schema && bare(schema)
  return inner instanceof z.ZodObject ? inner.shape : {}
}

/** Returns a schema and the schemas inside it, from the outside in. */
function layersOf(schema: z.ZodType | undefined): z.ZodType[] {
  if (schema === undefined) return []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return [schema, ...layersOf(schema.unwrap() as z.ZodType)]
  return schema instanceof z.ZodPipe ? [schema, ...layersOf(schema.in as z.ZodType)] : [schema]
}

/** Returns the schema inside the wrappers that make it optional. */
function bare(schema: z.ZodType): z.ZodType {
  return layersOf(schema).at(-1) ?? schema
}

function formatOf(schema: z.ZodType | undefined): string | undefined {
  return layersOf(schema)
    .map((layer) => layer.meta()?.['format'])
    .find((format) => typeof format === 'string')
}

function maxLengthOf(schema: z.ZodType | undefined): number | null {
  const inner = schema && bare(schema)
  return inner instanceof z.ZodString ? inner.maxLength : null
}
