import type { Pool } from '@crm/db'

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

/** The most workspaces that share a batch. */
const placesPerBatch = 100

/** Returns the longest lateness of all, in seconds; 0 when nothing is due. */
export function dueSeconds(due: readonly Due[]): number {
  return due.reduce((most, { seconds }) => Math.max(most, seconds), 0)
}

/**
 * Deletes the expired rows of workspaces that take turns: each batch is shared among the next ones, and whoever has more comes back at
 * the end of the line.
 * @param text deletes up to $3 rows of each of the workspaces $1, whose rows end at $2, and returns the workspace of each deleted row
 */
export async function deleteInTurn(
  pool: Pool,
  text: string,
  due: readonly Due[],
  count: (rows: number) => void,
  { batchRows, batchesMax }: RoundBounds,
): Promise<void> {
  const counted = `WITH gone AS (${text}) SELECT workspace_id AS "workspaceId", count(*)::int AS n FROM gone GROUP BY 1`
  let line = due
  for (let n = 0; n < batchesMax && line.length > 0; n += 1) {
    const taken = line.slice(0, placesPerBatch)
    const share = Math.ceil(batchRows / taken.length)
    const { rows } = await pool.query<{ workspaceId: string; n: number }>(counted, [
      taken.map(({ workspaceId }) => workspaceId),
      taken.map(({ end }) => end),
      share,
    ])
    const gone = new Map(rows.map((row) => [row.workspaceId, row.n]))
    count(rows.reduce((sum, row) => sum + row.n, 0))
    line = [...line.slice(placesPerBatch), ...taken.filter((each) => (gone.get(each.workspaceId) ?? 0) >= share)]
  }
}
