import type { Kind } from '@crm/model'
import type { EntityType } from '@crm/permissions'
import { commonFilters, pagedList, sortQuery, usualPages } from './lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from './of-kind.ts'
import { entityAccess, standard, withUndo } from './standard.ts'
import { withSummary } from './summaries.ts'

/**
 * Declares the usual five operations on records of a kind, and a summary; changes and deletions can be undone.
 * Owner and department decide which ones a caller sees.
 */
export function ownedRecords<const K extends Kind & { readonly entity: EntityType }>(kind: K) {
  const { entity, stem, noun, plural }: { entity: K['entity']; stem: K['stem']; noun: string; plural: string } = kind
  const record = recordOf(kind)
  const operations = withSummary(
    withUndo(
      standard({
        path: `/api/${stem}` as const,
        noun,
        plural,
        record,
        create: inputOf(kind),
        update: patchOf(kind),
        list: pagedList(record, usualPages, { ...commonFilters, ...filtersOf(kind), ...sortQuery(sortFieldsOf(kind)) }),
        access: entityAccess(entity),
      }),
    ),
    kind.fields,
  )
  return { ...operations, create: { ...operations.create, idempotent: true } } as const
}
