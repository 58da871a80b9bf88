import type { RevealedObject } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import type { FindSeen } from '../../resources/settings/automation/seen.ts'

const { exports, imports } = schema

/** What the files of imports and exports tell of. */
export const seenInTransfers = {
  // The rows of a file are its importer's. Who sees every record of the kind could see what was to become one.
  import: async ({ db, workspace, caller, scopeIfAllowed }, ids) => {
    const rows = await db
      .select({ id: imports.id, employeeId: imports.employeeId, entityType: imports.entityType })
      .from(imports)
      .where(and(eq(imports.workspaceId, workspace.id), isAnyOf(imports.id, ids)))
    const hidden = rows.filter(
      ({ employeeId, entityType }) => employeeId !== caller.employee.id && scopeIfAllowed(entityType)?.level !== 'ALL',
    )
    return new Set(ids).difference(new Set(hidden.map(({ id }) => id)))
  },

  // An export of somebody else does not exist for the caller. The lines of one's own are looked up one by one when it is read.
  export: async ({ db, workspace, caller, scope }, ids) => {
    const rows = await db
      .select({ entityType: exports.entityType })
      .from(exports)
      .where(
        and(
          eq(exports.workspaceId, workspace.id),
          eq(exports.employeeId, caller.employee.id),
          isAnyOf(exports.id, ids),
        ),
      )
    // Without the right, the refusal names it.
    for (const { entityType } of rows) scope(entityType)
    return new Set(ids)
  },
} satisfies Partial<Record<RevealedObject, FindSeen>>
