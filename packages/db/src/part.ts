import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/** The workspaces that a statement over all of them is about. */
export interface Part {
  /** All by default. */
  readonly only?: readonly string[]
  readonly except: readonly string[]
}

/** All workspaces. */
export const everyWorkspace: Part = { except: [] }

/** Whether a part is all workspaces. */
export function isEveryWorkspace({ only, except }: Part): boolean {
  return only === undefined && except.length === 0
}

/** Returns SQL for the condition that a workspace belongs to a part. */
export function inPart(workspaceId: SQLWrapper, { only, except }: Part): SQL {
  return only === undefined
    ? sql`${workspaceId} <> ALL (${sql.param(except)}::uuid[])`
    : sql`${workspaceId} = ANY (${sql.param(only)}::uuid[])`
}

/** Returns the same condition as text, for a statement with numbered values: its value is `valueOfPart`. */
export function textOfPart(workspaceId: string, { only }: Part, place: string): string {
  return only === undefined ? `${workspaceId} <> ALL (${place}::uuid[])` : `${workspaceId} = ANY (${place}::uuid[])`
}

/** Returns the value of the condition of a part. */
export function valueOfPart({ only, except }: Part): readonly string[] {
  return only ?? except
}
