import type { PasskeyResponse } from '@crm/contract'
import { newId, schema, type Executor, type Transaction } from '@crm/db'
import { fullName } from '@crm/identity'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import type { Person } from './people.repository.ts'

const { passkeyChallenges, passkeys } = schema

// Loaded on first use, because most requests show no passkey.
const webauthn = () => import('@simplewebauthn/server')

export type Passkey = typeof passkeys.$inferSelect
type Purpose = (typeof passkeyChallenges.$inferSelect)['purpose']

const challengeMs = 5 * 60_000

const rpIdOf = ({ workspace }: CrmContext): string => new URL(workspace.baseUrl).hostname
const originOf = ({ workspace }: CrmContext): string => new URL(workspace.baseUrl).origin

/** Reads the passkeys of a person, the oldest first. */
export function readPasskeys(
  db: Executor,
  { workspaceId, id }: Pick<Person, 'workspaceId' | 'id'>,
): Promise<Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.workspaceId, workspaceId), eq(passkeys.employeeId, id)))
    .orderBy(asc(passkeys.createdAt))
}

/** Returns the options with which a browser makes a passkey for a person. */
export async function optionsToAdd(context: CrmContext, person: Person): Promise<Record<string, unknown>> {
  const { generateRegistrationOptions } = await webauthn()
  const known = await readPasskeys(context.db, person)
  const options = await generateRegistrationOptions({
    rpName: context.workspace.name,
    rpID: rpIdOf(context),
    userName: person.email,
    userDisplayName: fullName(person),
    userID: new TextEncoder().encode(person.id),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  await keepChallenge(context, options.challenge, 'ADD', person.id)
  return { ...options }
}

/** Adds a passkey; null when the browser's answer does not fit a challenge of this person. */
export async function addPasskey(
  tx: Transaction,
  context: CrmContext,
  person: Person,
  { name, response }: { readonly name: string; readonly response: PasskeyResponse },
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await orNull(() =>
    verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(tx, context, challenge, 'ADD', person.id),
      expectedOrigin: originOf(context),
      expectedRPID: rpIdOf(context),
      requireUserVerification: false,
    }),
  )
  if (!verified?.verified) return null
  const { credential, credentialBackedUp } = verified.registrationInfo
  const [row] = await tx
    .insert(passkeys)
    .values({
      workspaceId: person.workspaceId,
      id: newId(),
      employeeId: person.id,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      isBackedUp: credentialBackedUp,
      createdAt: context.at,
    })
    .onConflictDoNothing()
    .returning()
  return row ?? null
}

/** Returns the options with which a browser shows a passkey: one of a person's, or any one to sign in with it alone. */
export async function optionsToShow(
  context: CrmContext,
  purpose: Exclude<Purpose, 'ADD'>,
  person: Person | null,
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(context),
    timeout: challengeMs,
    userVerification: purpose === 'SIGN_IN' ? 'required' : 'preferred',
    allowCredentials: person ? (await readPasskeys(context.db, person)).map(described) : [],
  })
  await keepChallenge(context, options.challenge, purpose, person?.id ?? null)
  return { ...options }
}

/**
 * Checks a passkey that a browser showed, of one person or of anybody; null when it does not fit. A counter that does not grow
 * means that the passkey was copied.
 */
export async function usePasskey(
  tx: Transaction,
  context: CrmContext,
  purpose: Exclude<Purpose, 'ADD'>,
  person: Person | null,
  response: PasskeyResponse,
): Promise<Passkey | null> {
  const [passkey] = await tx
    .select()
    .from(passkeys)
    .where(
      and(
        eq(passkeys.workspaceId, context.workspace.id),
        eq(passkeys.credentialId, response.id),
        person ? eq(passkeys.employeeId, person.id) : undefined,
      ),
    )
    .for('update')
  if (!passkey) return null
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await orNull(() =>
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(tx, context, challenge, purpose, person?.id ?? null),
      expectedOrigin: originOf(context),
      expectedRPID: rpIdOf(context),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: transportsOf(passkey),
      },
      requireUserVerification: purpose === 'SIGN_IN',
    }),
  )
  if (!verified?.verified) return null
  await tx
    .update(passkeys)
    .set({ counter: verified.authenticationInfo.newCounter, lastUsedAt: context.at })
    .where(and(eq(passkeys.workspaceId, passkey.workspaceId), eq(passkeys.id, passkey.id)))
  return passkey
}

/** Whether a passkey has not been removed. */
export async function isStillThere(db: Executor, { workspaceId, id }: Passkey): Promise<boolean> {
  const [row] = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(and(eq(passkeys.workspaceId, workspaceId), eq(passkeys.id, id)))
  return row !== undefined
}

/** The library throws for every answer that does not fit. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify()
  } catch {
    return null
  }
}

function described(passkey: Passkey) {
  return { id: passkey.credentialId, transports: transportsOf(passkey) }
}

function transportsOf({ transports }: Passkey): AuthenticatorTransport[] {
  return transports as AuthenticatorTransport[]
}

async function keepChallenge(
  { deps, workspace, at }: CrmContext,
  challenge: string,
  purpose: Purpose,
  employeeId: string | null,
): Promise<void> {
  const expiresAt = new Date(Date.parse(at) + challengeMs).toISOString()
  await deps.db
    .insert(passkeyChallenges)
    .values({ workspaceId: workspace.id, challenge, purpose, employeeId, expiresAt })
}

/** Uses a challenge up; a wrong answer does too, because callers commit after a refusal. */
async function takeChallenge(
  tx: Transaction,
  { workspace, at }: CrmContext,
  challenge: string,
  purpose: Purpose,
  employeeId: string | null,
): Promise<boolean> {
  const { rowCount } = await tx
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.workspaceId, workspace.id),
        eq(passkeyChallenges.challenge, challenge),
        eq(passkeyChallenges.purpose, purpose),
        employeeId === null ? isNull(passkeyChallenges.employeeId) : eq(passkeyChallenges.employeeId, employeeId),
        gt(passkeyChallenges.expiresAt, at),
      ),
    )
  return rowCount === 1
}
