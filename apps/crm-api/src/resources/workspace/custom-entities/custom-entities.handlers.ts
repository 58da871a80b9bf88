import {
  customEntities,
  customEntitySettings,
  success,
  type CustomEntityInput,
  type CustomEntityPatch,
} from '@crm/contract'
import { newId, type Transaction } from '@crm/db'
import { ApiError, type Issue } from '@crm/errors'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { countFieldUses } from '../../../records/field-uses.ts'
import { recallCustomEntities, type CustomEntity } from '../../../records/custom-kinds.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import {
  countFieldValues,
  eraseFieldValues,
  findRetiredKey,
  forgetRetiredFields,
  retireField,
} from '../../../records/retired-fields.ts'
import { refuseUsed } from '../../../records/uses.ts'
import {
  countRecords,
  deleteEntity,
  grantToAdministrators,
  insertEntity,
  lockEntity,
  updateEntity,
  withdrawPermissions,
} from './custom-entities.repository.ts'

export const implementedCustomEntitySettings = implement(customEntitySettings, {
  list: async ({ query }, context) => toPage(await recallCustomEntities(context.db, context), query),
  get: async ({ params }, context) => success(toRecord(await requireEntity(context, params.id))),
  uses: async ({ params, query }, context) => {
    const { kind, fields } = await requireEntity(context, params.id)
    const field = fields.find(({ key }) => key === query.field)
    if (!field) throw new ApiError('NOT_FOUND', { message: 'There is no such field' })
    const place = { workspaceId: context.workspace.id, kind, key: field.key }
    return success(await countFieldUses(context.db, place, query.option))
  },
  create: async ({ body }, context) => declare(context, body),
  update: async ({ params, query, body }, context) => change(context, params.id, body, query.retire),
  delete: async ({ params }, context) => remove(context, params.id),
})

export const implementedCustomEntities = implement(customEntities, {
  list: async ({ query }, context) =>
    toPage(
      (await recallCustomEntities(context.db, context)).filter((entity) => isKnownTo(context, entity)),
      query,
    ),
  get: async ({ params }, context) => {
    const entity = await requireEntity(context, params.key)
    if (!isKnownTo(context, entity)) throw notFound()
    return success(toRecord(entity))
  },
  create: async ({ body }, context) => declare(context, body),
  update: async ({ params, query, body }, context) =>
    change(context, (await requireEntity(context, params.key)).id, body, query.retire),
  delete: async ({ params }, context) => remove(context, (await requireEntity(context, params.key)).id),
})

/** Returns a type by its key or its id, or throws the 404. */
export async function requireEntity(context: CrmContext, keyOrId: string): Promise<CustomEntity> {
  const wanted = keyOrId.toLowerCase()
  const entity = (await recallCustomEntities(context.db, context)).find(
    ({ key, id }) => key === wanted || id === wanted,
  )
  if (!entity) throw notFound()
  return entity
}

function isKnownTo({ caller }: CrmContext, { entityType }: CustomEntity): boolean {
  return caller.effective.has('MANAGE_CUSTOM_FIELDS') || caller.effective.has(`VIEW_${entityType}`)
}

async function declare(context: CrmContext, body: CustomEntityInput) {
  const { workspace, caller, at } = context
  refuseUnusable(body.fields)
  return changingWorkspace(context, async (tx) => {
    const entity = await insertEntity(tx, workspace.id, {
      ...body,
      createdById: caller.employee.id,
      createdAt: at,
      updatedAt: at,
    })
    if (!entity) throw new ApiError('NAME_TAKEN', { message: 'This key is taken', details: { field: 'key' } })
    await grantToAdministrators(tx, workspace.id, entity)
    await trace(tx, context, 'custom-entity.created', entity)
    return success(toRecord(entity))
  })
}

async function change(context: CrmContext, id: string, body: CustomEntityPatch, retire = false) {
  const { workspace, at } = context
  refuseUnusable(body.fields ?? [])
  return changingWorkspace(context, async (tx) => {
    const current = await lockEntity(tx, workspace.id, id)
    if (!current) throw notFound()
    const retyped = body.fields?.find((field) =>
      current.fields.some(({ key, type }) => key === field.key && type !== field.type),
    )
    if (retyped) throw new ApiError('CUSTOM_FIELD_TYPE_FIXED', { details: { field: retyped.key } })
    if (body.fields) await changeFields(tx, context, current, body.fields, retire)
    const entity = await updateEntity(tx, workspace.id, id, { ...body, updatedAt: at })
    await trace(tx, context, 'custom-entity.changed', entity)
    return success(toRecord(entity))
  })
}

/** Retires removed fields, and refuses new ones whose key a retired field has. */
async function changeFields(
  tx: Transaction,
  { workspace, caller, at }: CrmContext,
  current: CustomEntity,
  wanted: CustomEntityInput['fields'],
  retire: boolean,
): Promise<void> {
  for (const { key } of wanted.filter((field) => !current.fields.some((known) => known.key === field.key))) {
    const holder = await findRetiredKey(tx, workspace.id, current.entityType, key)
    if (holder)
      throw new ApiError('NAME_TAKEN', {
        message: `A retired field has the key ${key} until ${holder.purgeAt.slice(0, 10)}`,
        details: { field: key },
      })
    // Leftover values belong to no field; they must not reappear under this one.
    await eraseFieldValues(tx, { workspaceId: workspace.id, kind: current.kind, key })
  }
  for (const { key, ...definition } of current.fields.filter(
    (field) => !wanted.some((kept) => kept.key === field.key),
  )) {
    const place = { workspaceId: workspace.id, kind: current.kind, key }
    const used = await countFieldValues(tx, place)
    if (!retire)
      refuseUsed(
        'field',
        [{ entityType: current.entityType, count: used }],
        `Records have values in ${definition.label}`,
      )
    if (used > 0)
      await retireField(tx, place, {
        id: newId(),
        definition: { ...definition, options: [...definition.options] },
        by: caller.employee.id,
        at,
      })
  }
}

async function remove(context: CrmContext, id: string) {
  const { workspace } = context
  return changingWorkspace(context, async (tx) => {
    const entity = await lockEntity(tx, workspace.id, id)
    if (!entity) throw notFound()
    const count = await countRecords(tx, workspace.id, entity.key)
    refuseUsed('custom entity', [{ entityType: entity.entityType, count }])
    await deleteEntity(tx, workspace.id, entity)
    await forgetRetiredFields(tx, workspace.id, entity.entityType)
    await withdrawPermissions(tx, workspace.id, entity)
    await trace(tx, context, 'custom-entity.deleted', entity)
    return success({ id: entity.id })
  })
}

/** Refuses two fields with one name, two options with one value, and option values that filters could not name. */
function refuseUnusable(fields: CustomEntityInput['fields']): void {
  const issues: Issue[] = fields.flatMap((field, at) => {
    const values = field.options.map(({ value }) => value)
    return [
      ...(fields.findIndex(({ key }) => key === field.key) < at
        ? [{ path: ['fields', at, 'key'], message: 'Two fields have the same key' }]
        : []),
      ...(new Set(values).size < values.length
        ? [{ path: ['fields', at, 'options'], message: 'Two options have the same value' }]
        : []),
      ...(values.some((value) => value.includes(','))
        ? [
            {
              path: ['fields', at, 'options'],
              message: 'An option value cannot hold a comma, which separates values in filters',
            },
          ]
        : []),
    ]
  })
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

async function trace(
  tx: Transaction,
  context: CrmContext,
  action: string,
  { id, key, labels }: CustomEntity,
): Promise<void> {
  await audit(tx, context, {
    action,
    subjectType: 'CUSTOM_ENTITY',
    subjectId: id,
    summary: `Custom entity ${labels.singular} (${key})`,
  })
}

function toPage(entities: readonly CustomEntity[], query: { readonly page: number; readonly pageSize: number }) {
  const from = offsetOf(query)
  return pageOf({ items: entities.slice(from, from + query.pageSize).map(toRecord), total: entities.length }, query)
}

function toRecord({ kind: _kind, fields, ...entity }: CustomEntity) {
  type Field = CustomEntityInput['fields'][number]
  return {
    ...entity,
    fields: fields.map((field) => ({ ...field, type: field.type as Field['type'], options: [...field.options] })),
  }
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such custom entity' })
}
