import { me, preferencesOfMe, success, type WorkspaceDescription, type WorkspaceSection } from '@crm/contract'
import { schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { fullName, type CredentialClass } from '@crm/identity'
import { lackingScopes, leveledActions } from '@crm/permissions'
import { and, eq, sql } from 'drizzle-orm'
import { pictureUrl } from '../../../domain/people/people.pictures.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { changingWorkspace } from '../../../records/audit.ts'
import { isSwitchedOff, recallPermissions } from '../../../records/rights.ts'

/** A function that describes the workspace for a caller; it knows all resources. */
export type DescribeWorkspace = (
  context: CrmContext,
  sections: readonly WorkspaceSection[] | undefined,
) => Promise<WorkspaceDescription>

const { employees, employeeRoles, roles } = schema

const own = {
  get: async (_input: unknown, context: CrmContext) => readMe(context),

  scopes: async (_input: unknown, context: CrmContext) => {
    const { caller } = context
    const { credential, employee } = caller
    return {
      class: sessionOrKey(caller.class),
      credential: { ...credential, prefix: credential.prefix ?? undefined },
      owner: {
        id: employee.id,
        name: employee.name,
        email: employee.email,
        status: employee.status,
        roleIds: [...employee.roleIds],
      },
      restricted: caller.requested !== null,
      requested: caller.requested && [...caller.requested],
      owned: [...caller.owned],
      effective: [...caller.effective],
      missing: missingScopes(context),
      allScopes: (await recallPermissions(context.db, context)).map(({ name, group, description, write }) => ({
        name,
        group,
        description,
        write,
      })),
      levels: Object.fromEntries(
        Object.entries(caller.levels).filter(([, levels]) => leveledActions.some((action) => levels[action] !== 'ALL')),
      ),
      administrators: await recallAdministrators(context),
    }
  },
}

const administratorsMax = 3

/** Returns the first active people who give rights to others. */
async function recallAdministrators({ db, workspace, remembered }: CrmContext) {
  const found = await remembered('administrators', async () =>
    db
      .selectDistinct({
        id: employees.id,
        firstName: employees.firstName,
        lastName: employees.lastName,
        email: employees.email,
      })
      .from(employees)
      .innerJoin(
        employeeRoles,
        and(eq(employeeRoles.workspaceId, employees.workspaceId), eq(employeeRoles.employeeId, employees.id)),
      )
      .innerJoin(roles, and(eq(roles.workspaceId, employees.workspaceId), eq(roles.id, employeeRoles.roleId)))
      .where(
        and(
          eq(employees.workspaceId, workspace.id),
          eq(employees.status, 'ACTIVE'),
          eq(employees.kind, 'PERSON'),
          sql`${roles.permissions} @> ARRAY['MANAGE_ROLES']`,
        ),
      )
      .orderBy(employees.id)
      .limit(administratorsMax),
  )
  return found.map((person) => ({ id: person.id, name: fullName(person) }))
}

/** Returns the operations about the caller: identity, permissions, and the view of the workspace. */
export function implementMe(describeWorkspace: DescribeWorkspace) {
  return implement(me, {
    ...own,
    workspace: ({ query }, context) => describeWorkspace(context, query.sections),
  })
}

/** The operations that change the caller. */
export const implementedPreferences = implement(preferencesOfMe, {
  update: async ({ body }, context) => {
    await changingWorkspace(context, (tx) =>
      tx
        .update(employees)
        .set({ ...body, updatedAt: context.at })
        .where(isCaller(context)),
    )
    return success(await readMe(context))
  },
})

/** Returns the person behind the credential, and their workspace. */
export async function readMe(context: CrmContext) {
  const { caller, workspace, db } = context
  const { locale, timezone, timeFormat, theme, density, startPage, pinned, unfolded, monthlyGoal } = employees
  const [chosen] = await db
    .select({
      locale,
      timezone,
      timeFormat,
      theme,
      density,
      startPage,
      pinned,
      unfolded,
      monthlyGoal,
      pictureUrl: pictureUrl(workspace.id),
    })
    .from(employees)
    .where(isCaller(context))
  if (!chosen) throw new ApiError('NOT_FOUND')
  return {
    ...caller.employee,
    roleIds: [...caller.employee.roleIds],
    ...chosen,
    workspace: {
      id: workspace.id,
      name: workspace.name,
      locale: workspace.locale,
      timezone: workspace.timezone,
      timeFormat: workspace.timeFormat,
      weekStart: workspace.weekStart,
      currency: workspace.currency,
    },
  }
}

function isCaller({ workspace, caller }: CrmContext) {
  return and(eq(employees.workspaceId, workspace.id), eq(employees.id, caller.employee.id))
}

/** Returns the scopes of a credential that have no effect now, with the reason. */
function missingScopes(context: Pick<CrmContext, 'caller' | 'workspace'>) {
  const { caller } = context
  const lacking = lackingScopes(caller.owned, caller.requested).map((scope) => ({
    scope,
    reason: 'OWNER_LACKS' as const,
  }))
  const off = [...caller.effective]
    .filter((scope) => isSwitchedOff(context, scope))
    .map((scope) => ({ scope, reason: 'MODULE_DISABLED' as const }))
  return [...lacking, ...off]
}

/** The token of a directory opens the provisioning API alone, so nobody asks this with one. */
function sessionOrKey(kind: CredentialClass): Exclude<CredentialClass, 'scim-token'> {
  if (kind === 'scim-token') throw new Error('The token of a directory does not open this')
  return kind
}
