import { schema, type Transaction } from '@crm/db'
import { digest } from '@crm/identity'
import { and, eq, isNull } from 'drizzle-orm'
import { randomInt } from 'node:crypto'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { queueAccountMail } from './account-mails.ts'
import type { Person } from './people.repository.ts'

const { recoveryCodes } = schema

const codesMade = 10
/** Letters and digits that nobody mistakes for one another; 16 of them cannot be guessed, so a plain digest is enough. */
const signs = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const groups = 4
const groupLength = 4

/** Replaces the recovery codes of a person and returns the new ones, which are not stored. */
export async function replaceRecoveryCodes(tx: Transaction, { workspaceId, id }: Person): Promise<string[]> {
  const codes = Array.from({ length: codesMade }, makeCode)
  await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.workspaceId, workspaceId), eq(recoveryCodes.employeeId, id)))
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ workspaceId, employeeId: id, codeHash: digestOf(code) })))
  return codes
}

/** Uses a recovery code up, writes it down and tells the person by mail; false when there is no such code any more. */
export async function useRecoveryCode(
  tx: Transaction,
  context: CrmContext,
  person: Person,
  code: string,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(recoveryCodes)
    .set({ usedAt: context.at })
    .where(
      and(
        eq(recoveryCodes.workspaceId, person.workspaceId),
        eq(recoveryCodes.employeeId, person.id),
        eq(recoveryCodes.codeHash, digestOf(code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
  if (rowCount !== 1) return false
  await audit(tx, context, {
    action: 'second-factor.recovery-used',
    subjectType: 'EMPLOYEE',
    subjectId: person.id,
    summary: `${context.actor.name} used a recovery code`,
  })
  await queueAccountMail(tx, context, { kind: 'recovery-code-used', employeeId: person.id })
  return true
}

function makeCode(): string {
  const group = () => Array.from({ length: groupLength }, () => signs[randomInt(signs.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** People type codes in any case and with or without hyphens. */
function digestOf(code: string): Buffer {
  return digest(`recovery:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)
}
