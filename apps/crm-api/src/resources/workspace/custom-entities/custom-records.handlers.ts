import { customRecords, success } from '@crm/contract'
import { permissionRequired } from '@crm/errors'
import { implement, type CrmContext } from '../../../platform/context.ts'
import type { CustomEntity } from '../../../records/custom-kinds.ts'
import { readHandlers, writeHandlers } from '../../../records/owned/handlers.ts'
import { summaryHandler } from '../../../domain/summaries/summary.handlers.ts'
import { requireEntity } from './custom-entities.handlers.ts'
import { createCustomRecord, customRecordWriter } from './custom-records.commands.ts'

/** The handlers that every kind of owned record has, for the type that the path names. */
export const implementedCustomRecords = implement(customRecords, {
  list: async (input, context) =>
    readHandlers((await requireEntity(context, input.params.key)).kind).list(input, context),
  summary: async (input, context) =>
    summaryHandler((await requireEntity(context, input.params.key)).kind).summary(input, context),
  get: async (input, context) =>
    readHandlers((await requireEntity(context, input.params.key)).kind).get(input, context),
  update: async (input, context) =>
    writeHandlers(customRecordWriter(await requireEntity(context, input.params.key))).update(input, context),
  delete: async (input, context) =>
    writeHandlers(customRecordWriter(await requireEntity(context, input.params.key))).delete(input, context),

  create: async ({ params, body }, context) => {
    const entity = await requireEntity(context, params.key)
    requireCreate(context, entity)
    return success(await context.transact((tx) => createCustomRecord(tx, context, entity, body)))
  },
})

function requireCreate({ caller }: CrmContext, { entityType }: CustomEntity): void {
  const permission = `CREATE_${entityType}`
  if (!caller.effective.has(permission)) throw permissionRequired(permission)
}
