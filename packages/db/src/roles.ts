import { setTimeout as waitMs } from 'node:timers/promises'

/** The PostgreSQL role of each deployable that has one (infra/postgres/roles.sql). */
export const deployableRoles = ['crm_api', 'crm_booking', 'crm_hooks', 'crm_dispatcher', 'crm_gateway'] as const

export type DeployableRole = (typeof deployableRoles)[number]

type Query = (sql: string) => Promise<unknown>

/** What PostgreSQL says of two who change one role, or the rights to one table, at the same moment. */
const disturbed: readonly unknown[] = ['XX000', '23505', '40P01']
const triesMax = 50
const pauseMs = 100

/**
 * Makes the roles, gives them their rights, and lets them sign in, each with its own password; a role without one keeps what it has.
 *
 * Roles belong to the whole server. Of two who change them at one moment, for two databases too, one fails, and begins again.
 * @param rights the statements of infra/postgres/roles.sql
 */
export async function giveRights(
  query: Query,
  rights: string,
  passwordOf: (role: DeployableRole) => string | undefined,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await query(rights)
      return await letRolesSignIn(query, passwordOf)
    } catch (error) {
      if (!disturbed.includes((error as { readonly code?: unknown } | null)?.code) || tries === triesMax) throw error
      await waitMs(pauseMs)
    }
  }
}

async function letRolesSignIn(query: Query, passwordOf: (role: DeployableRole) => string | undefined): Promise<void> {
  for (const role of deployableRoles) {
    const password = passwordOf(role)
    if (password !== undefined) await query(`ALTER ROLE ${role} LOGIN PASSWORD '${password.replaceAll("'", "''")}'`)
  }
}

/** Whether PostgreSQL refused something because its user lacks the right to it. */
export function lacksRight(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === '42501'
}

/** Says how an owner of the database gets the right to make the roles of the deployables. */
export function howToGiveRoles(owner: string): string {
  return `A superuser gives the right with: ALTER ROLE "${owner.replaceAll('"', '""')}" CREATEROLE; where the roles were made by somebody else, with: GRANT ${deployableRoles.join(', ')} TO "${owner.replaceAll('"', '""')}" WITH ADMIN OPTION.`
}
