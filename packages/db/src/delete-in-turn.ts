import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Pool } from 'pg'

/** A workspace with expired rows. */
export interface Due {
  readonly workspaceId: string
  /** Where its expired rows end, in a measure that the statement knows, such as the days for which rows are kept. */
  readonly end: number
  /** For how long the oldest row has been expired. */
  readonly seconds: number
}

/** The size of a round. */
export interface RoundBounds {
  readonly batchRows: number
  /** The most batches of one table. */
  readonly batchesMax: number
}

/** A batch is one short transaction, so that nobody waits for it. A round deletes up to a million rows of each table. */
export const usualRound: RoundBounds = { batchRows: 1_000, batchesMax: 1_000 }

/** Deletes up to `share` rows of each of some workspaces, and returns the workspace of each deleted row. */
export type DeleteBatch = (
  workspaceIds: readonly string[],
  ends: readonly number[],
  share: number,
) => Promise<readonly { readonly workspaceId: string }[]>

/** The most workspaces that share a batch. */
const placesPerBatch = 100

/** Returns the longest lateness of all, in seconds; 0 when nothing is due. */
export function dueSeconds(due: readonly Due[]): number {
  return due.reduce((most, { seconds }) => Math.max(most, seconds), 0)
}

/**
 * Returns SQL for the workspaces and the days for which each keeps a kind of history, `place.id` and `place.days`; null keeps it for ever. A
 * workspace keeps less than the installation, never more.
 * @param name the kind, as `workspaces.retention` names it
 * @param days the days of the installation; 0 keeps it for ever
 */
export function keptDays(name: string, days: number): string {
  return `${eachWorkspace(`min(least(nullif(${days}::float8, 0), nullif((w.retention->>'${name}')::float8, 0))) AS days`)} place`
}

/**
 * Returns SQL for all workspaces with values of their rows, which stand in `w` and have to be aggregated: `id` and the values. Beside them a
 * query of one workspace may have a limit. Where tables are distributed that is refused beside the table of workspaces, of which every machine
 * has a copy; every workspace has roles, which lie where its other rows do.
 * @param values the further columns
 */
export function eachWorkspace(values: string): string {
  return `(SELECT r.workspace_id AS id, ${values} FROM roles r JOIN workspaces w ON w.id = r.workspace_id GROUP BY r.workspace_id)`
}

/** Returns SQL for some workspaces, `id`, like `eachWorkspace`. */
export function someWorkspaces(ids: SQLWrapper): SQL {
  return sql`(SELECT r.workspace_id AS id FROM roles r WHERE r.workspace_id = ANY (${ids}::uuid[]) GROUP BY r.workspace_id)`
}

/**
 * Returns SQL for some workspaces with a number for each, `place.id` and `place.<name>`, like `eachWorkspace`.
 * @param ids the place of the array of workspaces in the statement, such as `$1`
 * @param numbers the place of the array of numbers
 */
export function placesWith(name: string, ids: string, numbers: string): string {
  return `(SELECT r.workspace_id AS id, (${numbers}::float8[])[array_position(${ids}::uuid[], r.workspace_id)] AS ${name}
    FROM roles r WHERE r.workspace_id = ANY (${ids}::uuid[]) GROUP BY r.workspace_id) place`
}

/**
 * Deletes the expired rows of workspaces that take turns: each batch is shared among the next ones, and whoever has more comes back at
 * the end of the line. `count` gets the number of rows of each batch.
 */
export async function deleteInTurn(
  due: readonly Due[],
  remove: DeleteBatch,
  count: (rows: number) => void,
  { batchRows, batchesMax }: RoundBounds = usualRound,
): Promise<void> {
  let line = due
  for (let n = 0; n < batchesMax && line.length > 0; n += 1) {
    const taken = line.slice(0, placesPerBatch)
    const share = Math.ceil(batchRows / taken.length)
    const removed = await remove(
      taken.map(({ workspaceId }) => workspaceId),
      taken.map(({ end }) => end),
      share,
    )
    count(removed.length)
    const gone = Map.groupBy(removed, ({ workspaceId }) => workspaceId)
    line = [
      ...line.slice(placesPerBatch),
      ...taken.filter(({ workspaceId }) => (gone.get(workspaceId)?.length ?? 0) >= share),
    ]
  }
}

/** Returns the deletion by a statement with the workspaces, the ends of their rows, and the share of each. */
export function deletingBy(pool: Pool, text: string): DeleteBatch {
  return async (workspaceIds, ends, share) =>
    (await pool.query<{ workspaceId: string }>(text, [workspaceIds, ends, share])).rows
}
