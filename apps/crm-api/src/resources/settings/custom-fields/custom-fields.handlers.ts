import { customFields, success, type CustomFieldEntity, type CustomFieldType } from '@crm/contract'
import { newId, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { and, asc, count, eq, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'

const { customFields: table } = schema
const uniqueFields = { custom_fields_key: 'key' }

export const implementedCustomFields = implement(customFields, {
  list: async ({ query }, { db, workspace }) => {
    const where = and(eq(table.workspaceId, workspace.id), query.entityType ? eq(table.entityType, query.entityType) : undefined)
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db.select().from(table).where(where)
      .orderBy(asc(table.entityType), asc(table.position), asc(table.id)).limit(query.pageSize).offset(offsetOf(query))
    return pageOf({ items: rows.map(toRecord), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(toRecord(await requireField(context.db, context, params.id))),

  create: async ({ body }, context) => {
    requireDistinctOptions(body.options)
    return changingWorkspace(context, async (tx) => {
      const stamps = { createdById: context.caller.employee.id, createdAt: context.at, updatedAt: context.at }
      const [row] = await withUniqueFields(uniqueFields, () => tx.insert(table).values({ ...body, workspaceId: context.workspace.id, id: newId(), ...stamps }).returning())
      if (!row) throw new Error('The custom field was not written')
      await trace(tx, context, 'custom-field.created', row)
      return success(toRecord(row))
    })
  },

  update: async ({ params, body }, context) =>
    changingWorkspace(context, async (tx) => {
      const current = await requireField(tx, context, params.id)
      if (body.type && body.type !== current.type) throw context.refuse('CUSTOM_FIELD_TYPE_FIXED')
      requireDistinctOptions(body.options)
      const [row] = await tx.update(table).set({ ...body, updatedAt: context.at }).where(isField(context, params.id)).returning()
      if (!row) throw notFound()
      await trace(tx, context, 'custom-field.changed', row)
      return success(toRecord(row))
    }),

  delete: async ({ params }, context) =>
    changingWorkspace(context, async (tx) => {
      const current = await requireField(tx, context, params.id)
      await tx.delete(table).where(isField(context, params.id))
      await trace(tx, context, 'custom-field.deleted', current)
      return success({ id: params.id })
    }),
})

type FieldRow = typeof table.$inferSelect

function isField({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function requireField(db: Executor, context: CrmContext, id: string): Promise<FieldRow> {
  const [row] = await db.select().from(table).where(isField(context, id))
  if (!row) throw notFound()
  return row
}

function requireDistinctOptions(options: readonly { readonly value: string }[] | undefined): void {
  const values = (options ?? []).map((option) => option.value)
  if (new Set(values).size !== values.length) throw invalidField('options', 'Two options have the same value')
  const withComma = values.find((value) => value.includes(','))
  if (withComma !== undefined) throw invalidField('options', 'An option value cannot hold a comma, which separates values in filters')
}

async function trace(tx: Transaction, context: CrmContext, action: string, field: FieldRow): Promise<void> {
  await audit(tx, context, { action, subjectType: 'CUSTOM_FIELD', subjectId: field.id, summary: `${field.entityType} field ${field.key}` })
}

function toRecord({ workspaceId: _workspace, ...row }: FieldRow) {
  return { ...row, entityType: row.entityType as CustomFieldEntity, type: row.type as CustomFieldType }
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such custom field' })
}
