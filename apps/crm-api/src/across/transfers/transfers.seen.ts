import type { RevealedObject } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import type { FindSeen } from '../../resources/automation/automation/seen.ts'

const { exports, imports, migrations } = schema

/** The records that the files of imports and exports reveal. */
export const seenInTransfers = {
  // The rows of a file belong to its importer. A person who sees every record of the kind could see the records that the
  // rows were to become.
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

  // The files of a migration belong to the person who brought them.
  migration: async ({ db, workspace, caller }, ids) => {
    const rows = await db
      .select({ id: migrations.id, employeeId: migrations.employeeId })
      .from(migrations)
      .where(and(eq(migrations.workspaceId, workspace.id), isAnyOf(migrations.id, ids)))
    const others = rows.filter(({ employeeId }) => employeeId !== caller.employee.id)
    return new Set(ids).difference(new Set(others.map(({ id }) => id)))
  },

  // An export of another person does not exist for the caller. The lines of the caller's own are checked one by one when it is read.
  export: async ({ db, workspace, caller, scope }, ids) => {
    const rows = await db
      .select({ entityType: exports.entityType, format: exports.format })
      .from(exports)
      .where(
        and(
          eq(exports.workspaceId, workspace.id),
          eq(exports.employeeId, caller.employee.id),
          isAnyOf(exports.id, ids),
        ),
      )
    // Without the right, the error names the missing permission.
    for (const { entityType } of rows.filter((row) => row.format !== 'ZIP')) scope(entityType)
    return new Set(ids)
  },
} satisfies Partial<Record<RevealedObject, FindSeen>>
