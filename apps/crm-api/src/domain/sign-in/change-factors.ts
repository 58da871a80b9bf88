import { schema, type PeopleTransaction, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { queueAccountMail } from './account-mails.ts'
import { needsSecondFactor } from './complete-sign-in.ts'
import { lockPerson, readRoles, type Person } from './people.repository.ts'
import { readFactorMethods } from './second-factors.repository.ts'

const { passkeys, pendingSignIns, recoveryCodes, totpFactors } = schema

/** A change of the second factors of the caller. */
export interface FactorChange {
  readonly action: 'second-factor.added' | 'second-factor.removed' | 'passkey.added' | 'passkey.removed'
  readonly summary: string
  readonly person: Person
}

/** Writes a change of second factors down and tells the person by mail. */
export async function noteFactorChange(
  tx: Transaction,
  context: CrmContext,
  { action, summary, person }: FactorChange,
): Promise<void> {
  await audit(tx, context, { action, summary, subjectType: 'EMPLOYEE', subjectId: person.id })
  await queueAccountMail(tx, context, { kind: 'second-factor-changed', employeeId: person.id })
}

/**
 * Removes a second factor, unless it is the last one of somebody who needs one. Recovery codes go with the last one.
 * Throws SECOND_FACTOR_REQUIRED.
 */
export async function removeFactor(
  tx: PeopleTransaction,
  context: CrmContext,
  person: Person,
  remove: () => Promise<unknown>,
): Promise<void> {
  await lockPerson(tx, person)
  await remove()
  if ((await readFactorMethods(tx, person)).length > 0) return
  const roleIds = (await readRoles(tx, person)).map(({ id }) => id)
  if (needsSecondFactor(context, roleIds)) throw new ApiError('SECOND_FACTOR_REQUIRED')
  await tx.delete(recoveryCodes).where(ofPerson(recoveryCodes, person))
}

/** Removes all second factors of a person, and the sign-ins that wait for one. */
export async function removeAllFactors(
  tx: PeopleTransaction,
  person: Pick<Person, 'workspaceId' | 'id'>,
): Promise<void> {
  for (const table of [totpFactors, passkeys, recoveryCodes, pendingSignIns])
    await tx.delete(table).where(ofPerson(table, person))
}

/** Removes the authenticator app of a person; whether there was one. */
export async function removeTotp(tx: Transaction, person: Person): Promise<boolean> {
  const { rowCount } = await tx.delete(totpFactors).where(ofPerson(totpFactors, person))
  return rowCount === 1
}

function ofPerson(
  table: typeof totpFactors | typeof passkeys | typeof recoveryCodes | typeof pendingSignIns,
  { workspaceId, id }: Pick<Person, 'workspaceId' | 'id'>,
) {
  return and(eq(table.workspaceId, workspaceId), eq(table.employeeId, id))
}
