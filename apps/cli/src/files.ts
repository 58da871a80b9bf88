/** Grants every deployable its tables; it is run by the owner after each migration. */
export const rolesFile = new URL('../../../infra/postgres/roles.sql', import.meta.url)
