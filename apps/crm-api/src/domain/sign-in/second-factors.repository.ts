import type { SecondFactorMethod } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { sql } from 'drizzle-orm'
import type { Person } from './people.repository.ts'

const { passkeys, recoveryCodes, totpFactors } = schema

/** Reads by which methods a person can show a second factor; recovery codes count only beside another one. */
export async function readFactorMethods(
  db: Executor,
  { workspaceId, id }: Pick<Person, 'workspaceId' | 'id'>,
): Promise<SecondFactorMethod[]> {
  const of = (table: typeof totpFactors | typeof passkeys | typeof recoveryCodes) =>
    sql`SELECT 1 FROM ${table} WHERE ${table.workspaceId} = ${workspaceId} AND ${table.employeeId} = ${id}`
  const { rows } = await db.execute<Record<'totp' | 'passkey' | 'codes', boolean>>(sql`
    SELECT EXISTS (${of(totpFactors)} AND ${totpFactors.confirmedAt} IS NOT NULL) AS totp, EXISTS (${of(passkeys)}) AS passkey,
      EXISTS (${of(recoveryCodes)} AND ${recoveryCodes.usedAt} IS NULL) AS codes`)
  const [has] = rows
  if (!has?.totp && !has?.passkey) return []
  return [
    ...(has.totp ? (['TOTP'] as const) : []),
    ...(has.passkey ? (['PASSKEY'] as const) : []),
    ...(has.codes ? (['RECOVERY_CODE'] as const) : []),
  ]
}
