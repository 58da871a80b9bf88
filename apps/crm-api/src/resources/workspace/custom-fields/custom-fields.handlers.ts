import type { StagedEntity } from '@crm/model'
import {
  customFieldEntities,
  customFields,
  retiredFields,
  success,
  type CustomFieldEntity,
  type CustomFieldType,
} from '@crm/contract'
import { newId, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import {
  countFieldValues,
  eraseFieldHistory,
  eraseFieldValues,
  findRetiredKey,
  kindOfField,
  listRetiredFields,
  lockRetiredField,
  purgeRetiredField,
  restoreFieldValues,
  retireField,
  type FieldPlace,
  type RetiredField,
} from '../../../records/retired-fields.ts'
import { countFieldUses } from '../../../records/field-uses.ts'
import { withUniqueFields } from '../../../records/unique.ts'
import { refuseUsed } from '../../../records/uses.ts'

const { customEntities, customFields: table, pipelines, stages } = schema
const uniqueFields = { custom_fields_key: 'key' }

export const implementedCustomFields = implement(customFields, {
  list: async ({ query }, { db, workspace }) => {
    const where = and(
      eq(table.workspaceId, workspace.id),
      query.entityType ? eq(table.entityType, query.entityType) : undefined,
    )
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db
      .select()
      .from(table)
      .where(where)
      .orderBy(asc(table.entityType), asc(table.position), asc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(toRecord), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(toRecord(await requireField(context.db, context, params.id))),

  uses: async ({ params, query }, context) => {
    const field = await requireField(context.db, context, params.id)
    return success(await countFieldUses(context.db, placeOf(context, field), query.option))
  },

  create: ({ body }, context) => createCustomField(context, body),

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const current = await requireField(tx, context, params.id)
      if (body.type && body.type !== current.type) throw context.refuse('CUSTOM_FIELD_TYPE_FIXED')
      requireDistinctOptions(body.options)
      const [row] = await tx
        .update(table)
        .set({ ...body, updatedAt: context.at })
        .where(isField(context, params.id))
        .returning()
      if (!row) throw notFound()
      await trace(tx, context, 'custom-field.changed', row)
      return success(toRecord(row))
    }),

  delete: async ({ params, query }, context) =>
    changingWorkspace(context, async (tx) => {
      const current = await lockField(tx, context, params.id)
      await refuseWhatStagesRequire(tx, context, current)
      const place = placeOf(context, current)
      if (query.purge === 'now') {
        requireAdministrator(context)
        await eraseFieldValues(tx, place)
        await eraseFieldHistory(tx, current)
      } else {
        const used = await countFieldValues(tx, place)
        if (!query.retire)
          refuseUsed('field', [{ entityType: current.entityType, count: used }], 'Records have values in this field')
        const { id, label, type, options, isRequired, position } = current
        if (used > 0)
          await retireField(tx, place, {
            id,
            definition: { label, type, options, isRequired, position },
            by: context.caller.employee.id,
            at: context.at,
          })
      }
      await tx.delete(table).where(isField(context, params.id))
      await trace(tx, context, query.purge === 'now' ? 'custom-field.purged' : 'custom-field.deleted', current)
      return success({ id: params.id })
    }),
})

export const implementedRetiredFields = implement(retiredFields, {
  list: async ({ query }, { db, workspace }) => {
    const all = await listRetiredFields(db, workspace.id, query.entityType)
    const from = offsetOf(query)
    return pageOf({ items: all.slice(from, from + query.pageSize).map(toRetired), total: all.length }, query)
  },

  restore: async ({ params }, context) =>
    changingWorkspace(context, async (tx) => {
      const field = await requireRetired(tx, context, params.id)
      await restoreFieldValues(tx, field)
      await (builtInEntities.has(field.entityType) ? insertAgain(tx, context, field) : declareAgain(tx, context, field))
      await trace(tx, context, 'custom-field.restored', field)
      return success({ id: field.id })
    }),

  purge: async ({ params }, context) =>
    changingWorkspace(context, async (tx) => {
      const field = await requireRetired(tx, context, params.id)
      await purgeRetiredField(tx, field)
      await trace(tx, context, 'custom-field.purged', field)
      return success({ id: field.id })
    }),
})

const builtInEntities: ReadonlySet<string> = new Set(customFieldEntities)

type CustomFieldInput = z.output<typeof customFields.operations.create.body>

/** Makes a custom field. */
export async function createCustomField(context: CrmContext, body: CustomFieldInput) {
  requireDistinctOptions(body.options)
  return changingWorkspace(context, async (tx) => {
    await refuseRetiredKey(tx, context, body.entityType, body.key)
    // Leftover values belong to no field; they must not reappear under this one.
    await eraseFieldValues(tx, placeOf(context, body))
    const stamps = { createdById: context.caller.employee.id, createdAt: context.at, updatedAt: context.at }
    const [row] = await withUniqueFields(uniqueFields, () =>
      tx
        .insert(table)
        .values({ ...body, workspaceId: context.workspace.id, id: newId(), ...stamps })
        .returning(),
    )
    if (!row) throw new Error('The custom field was not written')
    await trace(tx, context, 'custom-field.created', row)
    return success(toRecord(row))
  })
}

function placeOf(
  { workspace }: CrmContext,
  { entityType, key }: { readonly entityType: string; readonly key: string },
): FieldPlace {
  return { workspaceId: workspace.id, kind: kindOfField(entityType), key }
}

async function requireRetired(tx: Transaction, { workspace }: CrmContext, id: string): Promise<RetiredField> {
  const field = await lockRetiredField(tx, workspace.id, id)
  if (!field) throw new ApiError('NOT_FOUND', { message: 'There is no such retired field' })
  return field
}

async function refuseRetiredKey(
  tx: Transaction,
  { workspace }: CrmContext,
  entityType: string,
  key: string,
): Promise<void> {
  const holder = await findRetiredKey(tx, workspace.id, entityType, key)
  if (holder)
    throw new ApiError('NAME_TAKEN', {
      message: `A retired field has this key until ${holder.purgeAt.slice(0, 10)}`,
      details: { field: 'key' },
    })
}

/** Refuses to delete a field that a stage requires: nobody could fill it in any more, and no record could enter that stage. */
async function refuseWhatStagesRequire(
  tx: Transaction,
  { workspace }: CrmContext,
  { entityType, key }: FieldRow,
): Promise<void> {
  const [stage] = await tx
    .select({ name: stages.name, pipeline: pipelines.name })
    .from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(
      and(
        eq(stages.workspaceId, workspace.id),
        eq(pipelines.entityType, entityType as StagedEntity),
        sql`${stages.requiredFields} @> ARRAY[${`customFields.${key}`}]`,
      ),
    )
    .limit(1)
  if (stage)
    throw new ApiError('FIELD_REQUIRED_BY_STAGE', {
      message: `The stage ${stage.name} of ${stage.pipeline} requires this field`,
    })
}

function requireAdministrator({ caller }: CrmContext): void {
  if (caller.effective.has('MANAGE_WORKSPACE')) return
  throw new ApiError('ACCESS_DENIED', {
    message: 'The permission MANAGE_WORKSPACE is required',
    requiredPermission: 'MANAGE_WORKSPACE',
  })
}

async function insertAgain(
  tx: Transaction,
  { at, caller }: CrmContext,
  { workspaceId, id, entityType, key, definition }: RetiredField,
): Promise<void> {
  const stamps = { createdById: caller.employee.id, createdAt: at, updatedAt: at }
  await withUniqueFields(uniqueFields, () =>
    tx.insert(table).values({ ...definition, workspaceId, id, entityType, key, ...stamps }),
  )
}

/** Declares a restored field again: the fields of a custom entity are part of its declaration. */
async function declareAgain(
  tx: Transaction,
  { at }: CrmContext,
  { workspaceId, entityType, key, definition }: RetiredField,
): Promise<void> {
  const { label, type, options, isRequired } = definition
  await tx
    .update(customEntities)
    .set({
      fields: sql`${customEntities.fields} || ${JSON.stringify([{ key, label, type, options, isRequired }])}::jsonb`,
      updatedAt: at,
    })
    .where(and(eq(customEntities.workspaceId, workspaceId), eq(customEntities.key, entityType.toLowerCase())))
}

function toRetired({ id, entityType, key, definition, valueCount, retiredAt, purgeAt }: RetiredField) {
  return {
    id,
    entityType,
    key,
    label: definition.label,
    type: definition.type as CustomFieldType,
    valueCount,
    retiredAt,
    purgeAt,
  }
}

type FieldRow = typeof table.$inferSelect

function isField({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function requireField(db: Executor, context: CrmContext, id: string): Promise<FieldRow> {
  const [row] = await db.select().from(table).where(isField(context, id))
  if (!row) throw notFound()
  return row
}

async function lockField(tx: Transaction, context: CrmContext, id: string): Promise<FieldRow> {
  const [row] = await tx.select().from(table).where(isField(context, id)).for('update')
  if (!row) throw notFound()
  return row
}

function requireDistinctOptions(options: readonly { readonly value: string }[] | undefined): void {
  const values = (options ?? []).map((option) => option.value)
  if (new Set(values).size !== values.length) throw invalidField('options', 'Two options have the same value')
  const withComma = values.find((value) => value.includes(','))
  if (withComma !== undefined)
    throw invalidField('options', 'An option value cannot hold a comma, which separates values in filters')
}

async function trace(
  tx: Transaction,
  context: CrmContext,
  action: string,
  field: Pick<FieldRow, 'id' | 'entityType' | 'key'>,
): Promise<void> {
  await audit(tx, context, {
    action,
    subjectType: 'CUSTOM_FIELD',
    subjectId: field.id,
    summary: `${field.entityType} field ${field.key}`,
  })
}

function toRecord({ workspaceId: _workspace, ...row }: FieldRow) {
  return { ...row, entityType: row.entityType as CustomFieldEntity, type: row.type as CustomFieldType }
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such custom field' })
}
