import { deployableRoles, giveRights, howToGiveRoles, lacksRight, type DeployableRole } from '@crm/db'
import { readFile } from 'node:fs/promises'
import type { ClientBase, Pool } from 'pg'
import type { CliConfig } from './config.ts'
import { CommandError } from './base/output.ts'

const rolesFile = new URL('../../../infra/postgres/roles.sql', import.meta.url)

/** The passwords that the environment gives to roles. */
export type RolePasswords = Pick<CliConfig, 'ROLE_PASSWORD' | RolePasswordName>
type RolePasswordName = `ROLE_PASSWORD_${Uppercase<DeployableRole>}`

/**
 * Grants every deployable its tables, as the owner after each migration.
 *
 * @param passwords let the roles log in; a role without one keeps what it has
 */
export async function grantRights(
  owner: Pick<ClientBase | Pool, 'query'>,
  passwords: RolePasswords = {},
): Promise<void> {
  await giveRights(
    (sql) => owner.query(sql),
    await readFile(rolesFile, 'utf8'),
    (role) => passwordOf(role, passwords),
  )
}

/** Grants rights for a command; an owner that may not make roles is told what that means and how to get the right. */
export async function grantRightsOrTell(
  owner: Pick<ClientBase | Pool, 'query'>,
  passwords: RolePasswords,
): Promise<void> {
  try {
    await grantRights(owner, passwords)
  } catch (error) {
    if (!lacksRight(error)) throw error
    const { rows } = await owner.query<{ name: string }>('SELECT current_user AS name')
    throw new CommandError(
      `The schema is up to date, and the roles of the deployables are not: the user of DATABASE_URL may not make or change roles. Without them every deployable would have to work as the owner, and a hole in the booking pages or the webhooks would open all data. ${howToGiveRoles(rows[0]?.name ?? '')}`,
    )
  }
}

function passwordOf(role: DeployableRole, passwords: RolePasswords): string | undefined {
  return passwords[`ROLE_PASSWORD_${role.toUpperCase() as Uppercase<DeployableRole>}`] ?? passwords.ROLE_PASSWORD
}

/** Returns the roles that the environment lets sign in with the password of another one. */
export function rolesWithSharedPassword(passwords: RolePasswords): readonly DeployableRole[] {
  const given = deployableRoles.map((role) => [role, passwordOf(role, passwords)] as const)
  return given
    .filter(([role, password]) => given.some(([other, same]) => other !== role && same === password))
    .flatMap(([role, password]) => (password === undefined ? [] : [role]))
}

/** Says what a password of several roles costs. */
export function sharedPasswordSentence(roles: readonly DeployableRole[]): string {
  return `The roles ${roles.join(', ')} have one password: whoever takes over one of these processes reaches the tables of all.`
}

export const sharedPasswordRemedy = `Give each its own: ${deployableRoles.map((role) => `ROLE_PASSWORD_${role.toUpperCase()}`).join(', ')} (docs/guide/operate.md).`
