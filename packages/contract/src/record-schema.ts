import { fieldOf, kindEntities, kindOf, targetOf, type Field, type FieldType, type Kind } from '@crm/model'
import type { EntityType } from '@crm/permissions'
import * as z from 'zod'
import type { FilterOperator } from './read-conditions.ts'
import { codeLabel, fieldLabel } from './field-labels.ts'
import { own } from './own.ts'
import { recordOperations, shownRecord } from './record-operations.ts'
import type { RecordField, RecordFieldType } from './resources/schema.ts'

/** The description of a kind of record that is the same in every workspace. */
export interface DescribedKind {
  readonly noun: string
  readonly plural: string
  readonly icon: string
  /** The fields that name a record. */
  readonly titleFields: readonly string[]
  readonly fields: readonly RecordField[]
}

/** The described built-in entity types, in order. */
export const describedEntityTypes: readonly EntityType[] = kindEntities

/** The fields of every custom entity's records, besides the fields that its workspace declares. */
const customDeclaration = { main: ['title', 'ownerId', 'tags'] }

/** Bounded: one for each declared entity type, and one for the records of all custom entities. */
const described = new Map<string, readonly RecordField[]>()

/** Returns the names and fields of a built-in kind of record; undefined for all others. */
export function describeKind(entityType: string): DescribedKind | undefined {
  const kind = kindOf(entityType)
  if (!kind) return undefined
  const { noun, plural, icon, title } = kind
  return { noun, plural, icon, titleFields: title, fields: fieldsOnce(entityType, kind) }
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
  'participants',
]
/** The fields that are no values of the record itself, so that no list can compare them. */
const notCompared: readonly string[] = ['paymentLinkUrl']
/** The most characters of a one-line text; a text that may be longer is edited on several lines. */
const lineCharactersMax = 2_000

type FieldOrder = Pick<Kind, 'main' | 'defaults'>

function describeFields(entityType: string, { main, defaults = {} }: FieldOrder): RecordField[] {
  const { create, update, list, summary } = recordOperations(entityType) ?? {}
  const shown = shownRecord(entityType)?.shape ?? {}
  const canFilter = 'filter' in (list?.query?.shape ?? {})
  const [creates, changes] = [shapeOf(create?.body), shapeOf(update?.body)]
  const keys = Object.keys(shown).filter((key) => !notFields.includes(key))
  const ordered = [...main.filter((key) => keys.includes(key)), ...keys.filter((key) => !main.includes(key))]
  return ordered.map((key) => {
    const written = own(changes, key) ?? own(creates, key)
    const field = fieldOf(entityType, key)
    const type = field ? typeOf(field) : 'OTHER'
    const measure = own(summary?.summarized?.measures ?? {}, key)
    return {
      key,
      label: fieldLabel(key),
      type,
      options: optionsOf(shown[key] as z.ZodType),
      references: targetOf(entityType, key) ?? null,
      group: groupOf(field, main.includes(key), written !== undefined),
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

function groupOf(field: Field | undefined, isMain: boolean, isWritten: boolean): RecordField['group'] {
  if (isMain) return 'MAIN'
  if (!isWritten) return 'SYSTEM'
  return field?.rules.origin ? 'ORIGIN' : 'MORE'
}

const types: Readonly<Record<FieldType, RecordFieldType>> = {
  text: 'TEXT',
  email: 'EMAIL',
  phone: 'PHONE',
  domain: 'TEXT',
  money: 'CURRENCY',
  currency: 'REFERENCE',
  percent: 'PERCENTAGE',
  integer: 'NUMBER',
  flag: 'BOOLEAN',
  day: 'DATE',
  instant: 'DATETIME',
  choice: 'SELECT',
  reference: 'REFERENCE',
  references: 'REFERENCE_LIST',
  pointer: 'OTHER',
  texts: 'TEXT_LIST',
  tags: 'TAGS',
  address: 'ADDRESS',
  parts: 'OTHER',
}

function typeOf({ type, rules: { max = 0, written } }: Field): RecordFieldType {
  return type === 'text' && max > lineCharactersMax && written !== 'never' ? 'LONG_TEXT' : types[type]
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

function maxLengthOf(schema: z.ZodType | undefined): number | null {
  const inner = schema && bare(schema)
  return inner instanceof z.ZodString ? inner.maxLength : null
}
