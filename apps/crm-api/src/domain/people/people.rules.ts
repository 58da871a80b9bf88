import type { Transaction } from '@crm/db'
import { sql } from 'drizzle-orm'

/**
 * Returns the number of rules that give or ask something because of a role: groups of directories, identity providers and the
 * policy for signing in. A role that is locked gets no further rule of a group or a provider.
 */
export async function countRulesOfRole(tx: Transaction, workspaceId: string, roleId: string): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`SELECT (
    (SELECT count(*) FROM scim_group_roles WHERE workspace_id = ${workspaceId} AND role_id = ${roleId})
    + (SELECT count(*) FROM identity_providers WHERE workspace_id = ${workspaceId}
        AND (${roleId}::uuid = ANY (default_role_ids) OR group_mapping @> ${JSON.stringify([{ roleIds: [roleId] }])}::jsonb))
    + (SELECT count(*) FROM workspaces WHERE id = ${workspaceId}
        AND sign_in_policy @> ${JSON.stringify({ secondFactorRoleIds: [roleId] })}::jsonb))::int AS n`)
  return rows[0]?.n ?? 0
}

/** Returns the number of groups of directories and of identity providers that put people into a department. */
export async function countRulesOfDepartment(
  tx: Transaction,
  workspaceId: string,
  departmentId: string,
): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`SELECT (
    (SELECT count(*) FROM scim_groups WHERE workspace_id = ${workspaceId} AND department_id = ${departmentId})
    + (SELECT count(*) FROM identity_providers WHERE workspace_id = ${workspaceId}
        AND group_mapping @> ${JSON.stringify([{ departmentId }])}::jsonb))::int AS n`)
  return rows[0]?.n ?? 0
}
