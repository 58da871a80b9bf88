import { schema, visible, type Executor, type Scope } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import { accessLevels, type LeveledAction } from '@crm/permissions'
import { and, eq, gt, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { countFiles } from './files.repository.ts'
import { visibleReferences } from '../../kinds/references.ts'

const { files, fileLinks } = schema

type ViewContext = Pick<CrmContext, 'workspace' | 'caller' | 'scopeIfAllowed'>

/** Files as owned records: the owner is the person who uploaded the file. */
const asOwned = {
  workspaceId: files.workspaceId,
  ownerId: files.uploadedById,
  createdById: files.createdById,
  departmentId: files.departmentId,
}

/**
 * Returns the condition for the files that the caller sees: their own files, and files of records that they may see. With
 * the level OWN for files the caller sees only their own.
 */
export function visibleFiles(context: ViewContext): SQL {
  return and(isNull(files.deletedAt), withinSight(context)) as SQL
}

/** Returns the condition for the files that the caller sees, or would see if they were not deleted. */
export function withinSight(context: ViewContext): SQL {
  const { level, workspaceId } = viewScope(context)
  const isOwn = eq(files.uploadedById, context.caller.employee.id)
  const onRecord = level === 'OWN' ? undefined : hasVisibleLink(context)
  return and(eq(files.workspaceId, workspaceId), or(isOwn, onRecord)) as SQL
}

/** Returns the condition for the deleted files that are still there, and that the caller could see and delete. */
export function restorableFiles(context: CrmContext): SQL {
  const isThere = and(isNotNull(files.deletedAt), gt(files.leavesAt, context.at))
  return and(isThere, withinSight(context), visible(context.scope('FILE', 'DELETE'), asOwned)) as SQL
}

/** Returns the condition for the files that the caller sees and may also change or delete. */
export function changeableFiles(context: CrmContext, action: Exclude<LeveledAction, 'VIEW'>): SQL {
  return and(visibleFiles(context), visible(context.scope('FILE', action), asOwned)) as SQL
}

/** Returns the condition for the links whose records the caller may see. */
export function visibleLinks(context: ViewContext): SQL {
  return visibleReferences(context, fileLinks)
}

function hasVisibleLink(context: ViewContext): SQL {
  const ofFile = and(
    eq(fileLinks.workspaceId, context.workspace.id),
    eq(fileLinks.fileId, files.id),
    visibleLinks(context),
  )
  return sql`EXISTS (SELECT FROM ${fileLinks} WHERE ${ofFile})`
}

/** Returns the scope for files: either permission opens them, and the wider scope counts. */
function viewScope({ scopeIfAllowed, caller }: ViewContext): Scope {
  const scopes = [scopeIfAllowed('FILE'), scopeIfAllowed('DOCUMENT')].filter((scope) => scope !== null)
  const widest = scopes.toSorted((a, b) => accessLevels.indexOf(b.level) - accessLevels.indexOf(a.level))[0]
  if (widest) return widest
  const requiredPermission =
    caller.effective.has('VIEW_FILE') || !caller.effective.has('VIEW_DOCUMENT') ? 'VIEW_FILE' : 'VIEW_DOCUMENT'
  throw new ApiError('ACCESS_LEVEL_NONE', { message: `No access level for ${requiredPermission}`, requiredPermission })
}

/** Refuses ids of files that do not exist or that the caller may not see, in records that refer to files. */
export async function requireVisibleFiles(
  db: Executor,
  context: CrmContext,
  ids: readonly string[],
  field: string,
): Promise<void> {
  const asked = new Set(ids.map((id) => id.toLowerCase()))
  if (asked.size === 0) return
  const maySee = context.scopeIfAllowed('FILE') ?? context.scopeIfAllowed('DOCUMENT')
  if (!maySee || (await countFiles(db, visibleFiles(context), [...asked])) !== asked.size) throw invalidReference(field)
}
