import { schema, type Transaction } from '@crm/db'
import { fullName } from '@crm/identity'
import { and, eq, sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { tell } from '../../records/notices.ts'
import type { Person } from '../sign-in/people.repository.ts'
import type { ProviderRow } from './providers.repository.ts'

const { providerRoles } = schema
const kind = 'sign-in.groups-missing'

/** Whether a person has roles by groups at a provider. */
export async function hasRolesByGroups(
  { db, workspace }: CrmContext,
  provider: ProviderRow,
  person: Person,
): Promise<boolean> {
  const [role] = await db
    .select({ id: providerRoles.roleId })
    .from(providerRoles)
    .where(
      and(
        eq(providerRoles.workspaceId, workspace.id),
        eq(providerRoles.providerId, provider.id),
        eq(providerRoles.employeeId, person.id),
      ),
    )
    .limit(1)
  return role !== undefined
}

/**
 * Tells that a provider did not tell the groups of a person who keeps the rights of before: the person, those who can change how the
 * workspace signs in, and the audit log. Who still has the same message is told no second time.
 */
export async function tellOfMissingGroups(context: CrmContext, provider: ProviderRow, person: Person): Promise<void> {
  const name = fullName(person)
  const workspaceId = context.workspace.id
  await context.transact(async (tx) => {
    await audit(tx, context, {
      action: 'user.groups-missing',
      outcome: 'FAILURE',
      subjectType: 'EMPLOYEE',
      subjectId: person.id,
      summary: `${provider.name} did not tell the groups of ${name}, who keeps the rights of before`,
      data: { providerId: provider.id, claim: provider.groupsClaim },
    })
    const told = await thoseToTell(tx, workspaceId, { personId: person.id, providerId: provider.id })
    const data = { providerId: provider.id, personId: person.id }
    await tell(
      tx,
      { workspaceId, at: context.at },
      told.map((employeeId) =>
        employeeId === person.id
          ? {
              employeeId,
              kind,
              text: `${provider.name} did not tell your groups when you signed in. You keep the rights of before`,
              data: { ...data, name: provider.name },
            }
          : {
              employeeId,
              kind,
              text: `${provider.name} did not tell the groups of ${name}, who keeps the rights of before`,
              data: { ...data, name },
            },
      ),
    )
  })
}

/** Returns the person and the administrators, without those whose earlier message about the same is still open. */
async function thoseToTell(
  tx: Transaction,
  workspaceId: string,
  { personId, providerId }: { readonly personId: string; readonly providerId: string },
): Promise<readonly string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT e.id FROM employees e
    WHERE e.workspace_id = ${workspaceId} AND e.status = 'ACTIVE' AND e.kind = 'PERSON'
      AND (e.id = ${personId} OR EXISTS (
        SELECT FROM employee_roles er JOIN roles r ON r.workspace_id = er.workspace_id AND r.id = er.role_id
        WHERE er.workspace_id = ${workspaceId} AND er.employee_id = e.id AND 'MANAGE_WORKSPACE' = ANY (r.permissions)))
      AND NOT EXISTS (
        SELECT FROM notifications n
        WHERE n.workspace_id = ${workspaceId} AND n.employee_id = e.id AND n.kind = ${kind} AND n.done_at IS NULL
          AND n.data->>'personId' = ${personId} AND n.data->>'providerId' = ${providerId})
    ORDER BY e.id`)
  return rows.map(({ id }) => id)
}
