import { schema, type Transaction } from '@crm/db'
import { SecretUnreadableError, type SecretPlace } from '@crm/secrets'
import { and, eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { CrmContext } from '../../platform/context.ts'
import type { Person } from './people.repository.ts'

const { totpFactors } = schema

const periodS = 30
const secretBytes = 20
type Column = 'secret' | 'offered'

const placeOf = ({ workspaceId, id }: Person, column: Column): SecretPlace => ({
  workspaceId,
  table: 'totp_factors',
  column,
  row: id,
})

function totpOf(secret: string, label: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodS, ...label })
}

/** Offers a person a new secret; an earlier one goes on until a code confirms this one. */
export async function offerTotp(
  tx: Transaction,
  { deps, workspace }: CrmContext,
  person: Person,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const secret = new Secret({ size: secretBytes }).base32
  const offered = await deps.secrets.seal(tx, placeOf(person, 'offered'), secret)
  await tx
    .insert(totpFactors)
    .values({ workspaceId: person.workspaceId, employeeId: person.id, offered })
    .onConflictDoUpdate({ target: [totpFactors.workspaceId, totpFactors.employeeId], set: { offered } })
  return {
    secret,
    uri: totpOf(secret, { issuer: labelPart(workspace.name), label: labelPart(person.email) }).toString(),
  }
}

/** A colon parts the two names of a label, so neither has one of its own, encoded or not (Key Uri Format, section Label). */
function labelPart(name: string): string {
  return name
    .split(/[:：]/)
    .map((part) => part.trim())
    .join(' ')
    .trim()
}

/** Confirms the offered secret with a code; false when the code is wrong or nothing was offered. */
export async function confirmTotp(
  tx: Transaction,
  context: CrmContext,
  person: Person,
  code: string,
): Promise<boolean> {
  const { deps, at } = context
  const row = await lockTotp(tx, person)
  if (!row?.offered) return false
  const secret = await openSecret(tx, context, person, 'offered', row.offered)
  const lastStep = secret === null ? null : stepOf(secret, code, at)
  if (secret === null || lastStep === null) return false
  const sealed = await deps.secrets.seal(tx, placeOf(person, 'secret'), secret)
  await tx.update(totpFactors).set({ secret: sealed, offered: null, confirmedAt: at, lastStep }).where(ofPerson(person))
  return true
}

/** Checks a code; a step works once, and no step before it works after it. */
export async function useTotp(tx: Transaction, context: CrmContext, person: Person, code: string): Promise<boolean> {
  const row = await lockTotp(tx, person)
  if (!row?.secret || !row.confirmedAt) return false
  const secret = await openSecret(tx, context, person, 'secret', row.secret)
  const step = secret === null ? null : stepOf(secret, code, context.at)
  if (step === null || step <= row.lastStep) return false
  await tx.update(totpFactors).set({ lastStep: step }).where(ofPerson(person))
  return true
}

/** Returns a stored secret; null when its key is lost: then no code is right, and other factors go on working. */
async function openSecret(
  tx: Transaction,
  { deps, workspace }: CrmContext,
  person: Person,
  column: Column,
  sealed: string,
): Promise<string | null> {
  try {
    return await deps.secrets.open(tx, placeOf(person, column), sealed)
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    deps.logger.error(
      { err: error, workspaceId: workspace.id },
      'the secret of an authenticator app could not be opened',
    )
    return null
  }
}

/** Returns the step of 30 seconds that a code is for, the present one or a neighbour; null when it is for none of them. */
function stepOf(secret: string, code: string, at: string): number | null {
  const timestamp = Date.parse(at)
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(secret).validate({ token, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1_000 / periodS) + delta
}

async function lockTotp(tx: Transaction, person: Person) {
  const [row] = await tx.select().from(totpFactors).where(ofPerson(person)).for('update')
  return row
}

function ofPerson({ workspaceId, id }: Person) {
  return and(eq(totpFactors.workspaceId, workspaceId), eq(totpFactors.employeeId, id))
}
