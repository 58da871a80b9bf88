import type { EntityType } from '@crm/permissions'
import * as z from 'zod'
import { expectedVersion, newOwner, ownedFields, requiredText, tags } from './fields.ts'
import { commonFilters, pagedList, sortQuery, usualPages } from './lists.ts'
import { entityAccess, standard, withUndo } from './standard.ts'
import { withSummary } from './summaries.ts'

interface OwnedSpec<
  Path extends `/${string}`,
  Entity extends EntityType,
  Shown extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
> {
  readonly path: Path
  readonly noun: string
  readonly plural: string
  /** As in permissions, for example `PRICE_LIST`. */
  readonly entity: Entity
  /** The fields in answers besides the name and the fields of every owned record. */
  readonly shown: Shown
  /** The writable fields besides the name, the owner and the tags; every field is optional. */
  readonly fields: Fields
}

/**
 * Declares the usual five operations on named, owned records, and a summary; changes and deletions can be undone.
 * Owner and department decide which ones a caller sees.
 */
export function ownedRecords<
  const Path extends `/${string}`,
  const Entity extends EntityType,
  Shown extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
>(spec: OwnedSpec<Path, Entity, Shown, Fields>) {
  const { shown, fields, entity, ...names } = spec
  const record = z.object({ ...ownedFields, name: z.string(), ...shown })
  const editable = { ...fields, ownerId: newOwner, tags: tags.optional() }
  const operations = withSummary(
    withUndo(
      standard({
        ...names,
        record,
        create: z.strictObject({ name: requiredText(200), ...editable }),
        update: z.strictObject({ name: requiredText(200).optional(), ...editable, version: expectedVersion }),
        list: pagedList(record, usualPages, { ...commonFilters, ...sortQuery(['createdAt', 'updatedAt', 'name']) }),
        access: entityAccess(entity),
      }),
    ),
  )
  return { ...operations, create: { ...operations.create, idempotent: true } } as const
}
