import { given, run, schema, statement, type Executor } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { OwnedRow, RecordKind } from './kind.ts'
import type { OwnedFacts } from './plan.ts'
import { isReachable } from './repository.ts'
import type { TraceContext } from './trace.ts'

const { customFields, employees } = schema

const ownedFacts = statement(sql`
  SELECT json_build_object(
    'owner', (
      SELECT json_build_object('id', ${employees.id}, 'departmentId', ${employees.departmentId}) FROM ${employees}
      WHERE ${employees.workspaceId} = ${given('workspaceId')} AND ${employees.id} = ${given('ownerId')} AND (${employees.status} <> 'TERMINATED' OR ${given('isUndo')}::boolean)),
    'customFields', coalesce((
      SELECT json_agg(json_build_object('key', key, 'type', type, 'label', label, 'options', options, 'isRequired', is_required))
      FROM ${customFields} WHERE ${customFields.workspaceId} = ${given('workspaceId')} AND entity_type = ${given('entityType')}), '[]')
  ) AS facts`)

/**
 * Reads the facts that decisions about an owned record need: the set-up of the workspace, which every record of the kind shares. Nobody
 * gives records to people who have left; undoing gives them back.
 */
export function recallOwnedFacts(
  db: Executor,
  {
    workspace,
    remembered,
    isUndo = false,
  }: Pick<CrmContext, 'workspace' | 'remembered'> & Pick<TraceContext, 'isUndo'>,
  { entityType }: Pick<RecordKind, 'entityType'>,
  ownerId: string,
): Promise<OwnedFacts> {
  return remembered(`owned-facts:${entityType}:${ownerId}${isUndo ? ':undo' : ''}`, async () => {
    const [row] = await run<{ facts: OwnedFacts }>(db, ownedFacts, {
      workspaceId: workspace.id,
      ownerId,
      entityType,
      isUndo,
    })
    return row?.facts as OwnedFacts
  })
}

/** Returns whose a new or changed record will be: a new one is its maker's unless told. */
export function nextOwner(
  { caller }: Pick<CrmContext, 'caller'>,
  sent: { readonly ownerId?: string | null | undefined },
  current?: Pick<OwnedRow, 'ownerId'>,
): string {
  return sent.ownerId ?? current?.ownerId ?? caller.employee.id
}

/**
 * Refuses a reference to a record that does not exist or that the caller may not see. Both get the same error, so that a
 * reference never reveals a record. `null` and `undefined` refer to nothing.
 */
export async function requireVisible(
  db: Executor,
  context: Pick<CrmContext, 'scopeIfAllowed'> & { readonly seen?: ReadonlySet<string> },
  kind: RecordKind,
  id: string | null | undefined,
  field: string,
): Promise<void> {
  if (!id || context.seen?.has(id)) return
  const scope = context.scopeIfAllowed(kind.entityType)
  if (!scope || !(await isReachable(db, kind, scope, id))) throw invalidReference(field)
}

/** Refuses people who are not in the workspace. */
export async function requireEmployees(
  db: Executor,
  workspaceId: string,
  ids: readonly (string | null | undefined)[],
  field: string,
): Promise<void> {
  const asked = [...new Set(ids.filter((id) => typeof id === 'string'))]
  if (asked.length === 0) return
  const { rows } = await db.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM ${employees} WHERE ${employees.workspaceId} = ${workspaceId} AND ${employees.id} = ANY(${sql.param(asked)}::uuid[])`,
  )
  if (rows[0]?.n !== asked.length) throw invalidReference(field)
}
