import { signInPolicy, success, type SignInPolicyPatch } from '@crm/contract'
import { fieldChanges, isAnyOf, schema, type Executor, type Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { usualSignInPolicy, type SignInPolicy } from '@crm/identity'
import { and, eq, sql } from 'drizzle-orm'
import { requireBreakGlass } from '../../../domain/sign-in/enforce-sso.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingPeople } from '../../../records/audit.ts'

const { employees, roles, workspaces } = schema

export const implementedSignInPolicy = implement(signInPolicy, {
  get: async (_input, context) => {
    const { signInPolicy: policy } = context.workspace
    // A role that was deleted since is no rule any more.
    const secondFactorRoleIds = await knownIn(context.db, context, roles, policy.secondFactorRoleIds)
    return success({ ...policy, secondFactorRoleIds })
  },

  update: async ({ body }, context) =>
    success(
      await changingPeople(context, async (tx) => {
        await requireReferences(tx, context, body)
        const before = await lockPolicy(tx, context)
        const after = { ...before, ...body }
        if ('enforceSso' in body || 'breakGlassUserIds' in body)
          await requireBreakGlass(tx, context.workspace.id, after)
        await tx
          .update(workspaces)
          .set({
            signInPolicy: sql`${workspaces.signInPolicy} || ${JSON.stringify(body)}::jsonb`,
            updatedAt: context.at,
          })
          .where(eq(workspaces.id, context.workspace.id))
        await audit(tx, context, {
          action: 'sign-in-policy.changed',
          subjectType: 'WORKSPACE',
          subjectId: context.workspace.id,
          summary: 'Changed the rules for signing in',
          changes: fieldChanges(before, body),
          data: { fields: Object.keys(body) },
        })
        return after
      }),
    ),
})

async function lockPolicy(tx: Transaction, { workspace }: CrmContext): Promise<SignInPolicy> {
  const [row] = await tx
    .select({ signInPolicy: workspaces.signInPolicy })
    .from(workspaces)
    .where(eq(workspaces.id, workspace.id))
    .for('no key update')
  return { ...usualSignInPolicy, ...row?.signInPolicy }
}

/** Refuses roles and people that are not in the workspace. */
async function requireReferences(
  tx: Transaction,
  context: CrmContext,
  { secondFactorRoleIds = [], breakGlassUserIds = [] }: SignInPolicyPatch,
): Promise<void> {
  const areKnown = async (table: typeof roles | typeof employees, ids: readonly string[]) =>
    (await knownIn(tx, context, table, ids)).length === ids.length
  if (!(await areKnown(roles, secondFactorRoleIds))) throw invalidReference('secondFactorRoleIds')
  if (!(await areKnown(employees, breakGlassUserIds))) throw invalidReference('breakGlassUserIds')
}

/** Returns the ids that are in a table of the workspace, in their order. */
async function knownIn(
  db: Executor,
  { workspace }: CrmContext,
  table: typeof roles | typeof employees,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.workspaceId, workspace.id), isAnyOf(table.id, [...ids])))
  return ids.filter((one) => found.some(({ id }) => id === one))
}
