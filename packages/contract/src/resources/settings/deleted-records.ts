import * as z from 'zod'
import { byId, entityTypeName, id, instant } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'

const entityType = entityTypeName.meta({ description: 'The kind of record, that of a custom entity too' })

const restored = z.object({ entityType: z.string(), id, title: z.string() })

const deletedRecord = restored.extend({
  deletedAt: instant,
  deletedBy: z.string().nullable().meta({ description: 'The name of who deleted it' }),
  restorableUntil: instant,
})

/** Records deleted in the last 30 days; people who may see and delete a kind of record list and restore them (docs/guide/requests.md). */
export const deletedRecords = settingsResource('settings.deletedRecords', {
  list: {
    method: 'GET',
    path: '/api/settings/deleted-records',
    summary: 'List the deleted records of a kind that you may restore, the latest first',
    description: 'Needs VIEW_<TYPE> and DELETE_<TYPE>. Records that were merged into others are not among them.',
    access: 'credential',
    reach: 'none',
    ...pagedList(deletedRecord, usualPages, { entityType, search: z.string().max(200).optional() }),
  },
  restore: {
    method: 'POST',
    path: '/api/settings/deleted-records/{id}/restore',
    summary: 'Restore a deleted record',
    description: 'As it was, within 30 days of its deletion. Needs VIEW_<TYPE> and DELETE_<TYPE>.',
    access: 'credential',
    reach: 'none',
    params: byId,
    body: z.strictObject({ entityType }),
    reply: data(200, restored),
    errors: ['QUOTA_EXCEEDED', 'SKU_TAKEN'],
  },
})
