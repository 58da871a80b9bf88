import { readFile } from 'node:fs/promises'
import type { ClientBase, Pool } from 'pg'

const rolesFile = new URL('../../../infra/postgres/roles.sql', import.meta.url)

/** The role of each deployable that has one. */
export const deployableRoles = ['crm_api', 'crm_booking', 'crm_hooks', 'crm_dispatcher', 'crm_gateway']

/**
 * Grants every deployable its tables, as the owner after each migration.
 *
 * @param password lets the roles log in; they keep the one they have without it
 */
export async function grantRights(owner: Pick<ClientBase | Pool, 'query'>, password?: string): Promise<void> {
  await owner.query(await readFile(rolesFile, 'utf8'))
  if (password === undefined) return
  for (const role of deployableRoles)
    await owner.query(`ALTER ROLE ${role} LOGIN PASSWORD '${password.replaceAll("'", "''")}'`)
}
