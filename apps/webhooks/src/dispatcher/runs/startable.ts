import type { Pool } from '@crm/db'
import { coversCaller, readEmployeeCaller } from '@crm/identity'
import type { HeldRun } from './run.ts'

/** A published workflow that a step can start. */
export interface Startable {
  readonly version: number
  readonly runAsId: string
}

/** Returns the published version of a workflow; undefined when there is none. */
export async function findStartable(
  pool: Pool,
  workspaceId: string,
  workflowId: string,
): Promise<Startable | undefined> {
  const { rows } = await pool.query<Startable>({
    name: 'workflow-startable',
    text: `SELECT published_version AS version, run_as_id AS "runAsId" FROM workflows
      WHERE workspace_id = $1 AND id = $2 AND status = 'PUBLISHED' AND published_version IS NOT NULL`,
    values: [workspaceId, workflowId],
  })
  return rows[0]
}

/** Whether the person of a run reaches everything that another person does, so that a run of theirs has no more rights. */
export async function mayActAs(
  pool: Pool,
  { workspaceId, runAsId }: Pick<HeldRun, 'workspaceId' | 'runAsId'>,
  otherId: string,
): Promise<boolean> {
  if (runAsId === otherId) return true
  const [mine, theirs] = await Promise.all([
    readEmployeeCaller(pool, workspaceId, runAsId),
    readEmployeeCaller(pool, workspaceId, otherId),
  ])
  return mine !== null && theirs !== null && coversCaller(mine, theirs)
}
