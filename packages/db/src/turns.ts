import { clientOf, type Executor } from './transaction.ts'

/** The people who take turns: the members of a department, or the ones of a list. */
export type TakingTurns = { readonly departmentId: string } | { readonly employeeIds: readonly string[] }

/** The step of a workflow whose turns are counted. */
export interface TurnPlace {
  readonly workspaceId: string
  readonly workflowId: string
  readonly stepKey: string
}

/** Returns the query of the people who can have a turn now; its arguments are the placeholders of the values. */
export function peopleInTurn(workspaceId: string, departmentId: string, employeeIds: string): string {
  return `SELECT e.id FROM employees e WHERE e.workspace_id = ${workspaceId} AND e.status = 'ACTIVE'
    AND ((e.department_id = ${departmentId}::uuid AND e.kind = 'PERSON') OR e.id = ANY (${employeeIds}::uuid[]))`
}

/** Returns the values for the department and the list of `peopleInTurn`. */
export function turnValues(among: TakingTurns): [departmentId: string | null, employeeIds: readonly string[]] {
  return 'departmentId' in among ? [among.departmentId, []] : [null, among.employeeIds]
}

/**
 * Returns the query of the person after another one, who may be no candidate any more. The order of the ids stays the same when people
 * come and go, so nobody is passed over.
 * @param people a query or table with the ids of the candidates
 */
export function nextAfter(people: string, lastId: string): string {
  return `SELECT p.id FROM ${people} p ORDER BY (p.id > ${lastId}) DESC, p.id LIMIT 1`
}

/** Returns the person whose turn is next at a step, without moving the turn; null when nobody can have one. */
export async function findNextInTurn(
  db: Executor,
  { workspaceId, workflowId, stepKey }: TurnPlace,
  among: TakingTurns,
): Promise<string | null> {
  const lastId = `(SELECT last_id FROM assignment_turns WHERE workspace_id = $1 AND workflow_id = $4 AND step_key = $5)`
  const { rows } = await clientOf(db).query<{ id: string }>({
    text: nextAfter(`(${peopleInTurn('$1', '$2', '$3')})`, lastId),
    values: [workspaceId, ...turnValues(among), workflowId, stepKey],
  })
  return rows[0]?.id ?? null
}
