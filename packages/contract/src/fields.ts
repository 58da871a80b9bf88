import { everyRecord, shownOf } from '@crm/model'
import { commaParts, entityTypeName, id, instant, textForms } from '@crm/model/values'
import { isTimeZone } from '@crm/scheduling'
import * as z from 'zod'

export * from '@crm/model/values'

export const timeZone = z.string().max(64).refine(isTimeZone, 'Expected an IANA time zone, for example Europe/Berlin')

/** The fields that every record has. */
export const recordFields = {
  id,
  createdAt: instant,
  updatedAt: instant,
  createdById: id.nullable(),
}

/** The owner of a record: on create the caller by default. A change to `null` leaves the record to its creator. */
export const newOwner = id
  .nullable()
  .optional()
  .meta({ description: "null: nobody's, and so its creator's; a new record is yours unless told" })

/** The fields of every owned record. */
export const ownedFields = { id, ...shownOf(everyRecord) }

/** Entity types, separated by commas. */
export const entityTypeNames = z
  .string()
  .max(1_000)
  .transform(commaParts)
  .pipe(z.array(entityTypeName).min(1).max(50))
  .register(textForms, { form: 'entityTypes' })
  .meta({ description: 'Kinds of record, such as DEAL' })

/** The parameters of an operation on one record of any kind. */
export const recordParams = z.object({ entityType: entityTypeName, id })

/** The filters of lists by one linked record. */
export const linkFilters = {
  entityType: entityTypeName.optional().meta({ description: 'With entityId: those of one record' }),
  entityId: id.optional(),
}

/** A position in an order, from 0. Reordering increments positions, so the maximum stays well below the limit of the database. */
export const position = z.int().min(0).max(100_000)

/** The version that a PATCH may send; the change is refused when the version is stale. */
export const expectedVersion = z.int().positive().optional()
