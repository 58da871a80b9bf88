import { deployableRoles, giveRights, type DeployableRole } from '@crm/db/roles'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The PostgreSQL roles, one per deployable, that infra/postgres/roles.sql creates. */
export const databaseRoles = deployableRoles

export type DatabaseRole = DeployableRole

/** The file with the roles and their grants. */
export const rolesFile = fileURLToPath(new URL('../postgres/roles.sql', import.meta.url))

/** Creates the roles, grants them their tables, and lets each sign in with the password given for it. */
export async function applyRoles(
  query: (sql: string) => Promise<unknown>,
  passwordOf: (role: DatabaseRole) => string,
): Promise<void> {
  await giveRights(query, await readFile(rolesFile, 'utf8'), passwordOf)
}

/** Returns the connection string of a role, made from the owner's. */
export function urlForRole(ownerUrl: string, role: string, password: string): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = password
  return url.href
}
