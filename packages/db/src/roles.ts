/** The PostgreSQL role of each deployable that has one (infra/postgres/roles.sql). */
export const deployableRoles = ['crm_api', 'crm_booking', 'crm_hooks', 'crm_dispatcher', 'crm_gateway'] as const

export type DeployableRole = (typeof deployableRoles)[number]

type Query = (sql: string) => Promise<unknown>

/** Lets roles sign in, each with its own password; a role without one keeps what it has. */
export async function letRolesSignIn(
  query: Query,
  passwordOf: (role: DeployableRole) => string | undefined,
): Promise<void> {
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
