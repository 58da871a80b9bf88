import { email as emailAddress, type SsoError } from '@crm/contract'
import {
  fieldChanges,
  inSavepoint,
  newId,
  readWayIn,
  requireWayIn,
  schema,
  type PeopleTransaction,
  type Transaction,
} from '@crm/db'
import { ApiError } from '@crm/errors'
import { fullName } from '@crm/identity'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { audit, changingPeople } from '../../records/audit.ts'
import { tellOfPerson } from '../people/people.records.ts'
import { followDepartments, followGroups, noteMoves, rolesOf } from '../people/people.roles.ts'
import { queueAccountMail } from '../sign-in/account-mails.ts'
import { requireActive } from '../sign-in/complete-sign-in.ts'
import { findPerson, lockPerson, readPerson, type Person } from '../sign-in/people.repository.ts'
import { isVerifiedDomain } from './domains.ts'
import { hasRolesByGroups, tellOfMissingGroups } from './missing-groups.ts'
import { claimOf, ProviderError, type Facts, type SignedIn } from '../../platform/provider-client.ts'
import type { ProviderRow } from './providers.repository.ts'

const { employees, employeeRoles, identities, identityProviders, providerRoles } = schema

/** A sign-in at a provider that ends at the sign-in page. */
export class SsoRefusal extends Error {
  readonly code: SsoError
  readonly email: string | null

  constructor(
    code: SsoError,
    { email = null, cause }: { readonly email?: string | null; readonly cause?: unknown } = {},
  ) {
    super(code, { cause })
    this.name = 'SsoRefusal'
    this.code = code
    this.email = email
  }
}

/** Returns the person of an account at a provider: the linked one, or the one that the rules of the provider allow to link or to make. */
export async function findOrLink(context: CrmContext, provider: ProviderRow, signedIn: SignedIn): Promise<Person> {
  await spellAsProvider(context, provider, signedIn)
  const { issuer, subject } = accountOf(signedIn)
  const linked = await linkedPerson(context, issuer, subject)
  if (linked) {
    await noteUse(context, issuer, subject, addressTold(signedIn.claims))
    return linked
  }
  const facts = await factsOf(signedIn)
  const email = addressTold(facts)
  const address = await requireAddress(context, provider, facts)
  const known = await findPerson(context.db, context.workspace.id, address)
  if (known) {
    if (known.kind === 'SERVICE' || context.workspace.signInPolicy.breakGlassUserIds.includes(known.id))
      throw new SsoRefusal('SSO_NOT_PROVISIONED', { email })
    await requireActive(context, known)
    await link(context, known, { issuer, subject, email })
    return known
  }
  if (provider.provisioning !== 'JIT') throw new SsoRefusal('SSO_NOT_PROVISIONED', { email })
  return makePerson(context, provider, { facts, account: { issuer, subject, email } }, address)
}

/** Links an account at a provider to a person. Throws SSO_LINK_CONFLICT when either belongs to somebody else. */
export async function linkTo(
  context: CrmContext,
  person: Person,
  provider: ProviderRow,
  signedIn: SignedIn,
): Promise<void> {
  await spellAsProvider(context, provider, signedIn)
  const { issuer, subject } = accountOf(signedIn)
  const email = addressTold(signedIn.claims)
  const linked = await linkedPerson(context, issuer, subject)
  if (linked && linked.id !== person.id) throw new SsoRefusal('SSO_LINK_CONFLICT', { email })
  if (!linked) await link(context, person, { issuer, subject, email })
}

/** Whether an account at a provider is linked to a person. */
export async function isLinkedTo(
  context: CrmContext,
  employeeId: string,
  provider: ProviderRow,
  signedIn: SignedIn,
): Promise<boolean> {
  await spellAsProvider(context, provider, signedIn)
  const { issuer, subject } = accountOf(signedIn)
  return (await linkedPerson(context, issuer, subject))?.id === employeeId
}

/**
 * Gives a person the roles and the department of their groups at the provider, and takes what groups no longer give. Roles given
 * by hand stay. Whoever is the last who can repair the workspace keeps every role, and the audit log says why.
 */
export async function followProvider(
  context: CrmContext,
  provider: ProviderRow,
  person: Person,
  signedIn: SignedIn,
): Promise<void> {
  if (!provider.groupsClaim) return
  const claim = await groupsOf(provider.groupsClaim, signedIn)
  if (claim === undefined) return keepWithoutGroups(context, provider, person, signedIn)
  const groups = textsIn(claim)
  const rules = provider.groupMapping.filter(({ group }) => groups.includes(group))
  const roleIds = [...new Set(rules.flatMap((rule) => rule.roleIds))]
  const place = rules.find(({ departmentId }) => departmentId)?.departmentId
  const workspaceId = context.workspace.id
  await changingPeople(context, async (tx) => {
    const before = await readWayIn(tx, workspaceId)
    const formerRoleIds = await rolesOf(tx, context, person.id)
    const kept = await inSavepoint(tx, async (savepoint) => {
      const inner = savepoint as PeopleTransaction
      const mine = and(
        eq(providerRoles.workspaceId, workspaceId),
        eq(providerRoles.providerId, provider.id),
        eq(providerRoles.employeeId, person.id),
      )
      await inner.delete(providerRoles).where(mine)
      if (roleIds.length > 0)
        await inner.execute(sql`
          INSERT INTO provider_roles (workspace_id, provider_id, employee_id, role_id)
          SELECT workspace_id, ${provider.id}::uuid, ${person.id}::uuid, id FROM roles
          WHERE workspace_id = ${workspaceId} AND id = ANY (${`{${roleIds.join()}}`}::uuid[])`)
      await followGroups(inner, context, [person.id])
      await requireWayIn(inner, workspaceId, before)
      return null
    }).catch((error: unknown) => {
      if (isLostWayIn(error)) return error.code
      throw error
    })
    await followPlace(tx, context, person, accountOf(signedIn), place ?? null)
    const changes = fieldChanges(
      { roleIds: formerRoleIds.toSorted() },
      { roleIds: (await rolesOf(tx, context, person.id)).toSorted() },
    )
    if (changes.length === 0 && !kept) return
    const name = fullName(person)
    await audit(tx, asPerson(context, person), {
      action: 'user.roles-changed',
      outcome: kept ? 'FAILURE' : 'SUCCESS',
      subjectType: 'EMPLOYEE',
      subjectId: person.id,
      summary: kept
        ? `${name} keeps their roles as the last who can repair the workspace, although groups at ${provider.name} no longer give them`
        : `The roles of ${name} follow their groups at ${provider.name}`,
      changes,
      data: { providerId: provider.id, ...(kept ? { reason: kept } : {}) },
    })
  })
}

/** Puts a person into the department of their groups at a provider; with these groups they leave it, unless they left it already. */
async function followPlace(
  tx: PeopleTransaction,
  context: CrmContext,
  person: Person,
  account: AccountKey,
  place: string | null,
): Promise<void> {
  const workspaceId = context.workspace.id
  const self = asPerson(context, person)
  const [linked] = await tx.select().from(identities).where(isAccount(context, account)).for('no key update')
  const now = await lockPerson(tx, person)
  if (!linked || !now) return
  if (linked.departmentId !== place)
    await tx.update(identities).set({ departmentId: place }).where(isAccount(context, account))
  if (place !== null && place !== now.departmentId) {
    await tx
      .update(employees)
      .set({ departmentId: place, updatedAt: context.at })
      .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, person.id)))
    await noteMoves(tx, self, [{ ...now, from: now.departmentId, to: place }])
  }
  if (place === null && linked.departmentId !== null && linked.departmentId === now.departmentId)
    await followDepartments(tx, self, { people: [person.id], former: linked.departmentId })
}

/** Takes from people the departments that groups at a provider gave them, when it is gone. */
export async function leavePlaces(tx: PeopleTransaction, context: CrmContext, issuer: string): Promise<void> {
  const inWorkspace = and(eq(identities.workspaceId, context.workspace.id), eq(identities.issuer, issuer))
  const placed = await tx
    .select({ id: identities.employeeId, former: identities.departmentId })
    .from(identities)
    .innerJoin(
      employees,
      and(
        eq(employees.workspaceId, identities.workspaceId),
        eq(employees.id, identities.employeeId),
        eq(employees.departmentId, identities.departmentId),
      ),
    )
    .where(inWorkspace)
  for (const [former, people] of Map.groupBy(placed, (one) => one.former))
    await followDepartments(tx, context, { people: people.map(({ id }) => id), former })
  await tx.update(identities).set({ departmentId: null }).where(inWorkspace)
}

function isLostWayIn(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'LAST_ADMINISTRATOR' || error.code === 'BREAK_GLASS_REQUIRED')
}

/** What an account is found by: the issuer as the provider spells it, and the subject there. */
interface AccountKey {
  readonly issuer: string
  readonly subject: string
}

interface Account extends AccountKey {
  readonly email: string | null
}

function accountOf({ claims }: SignedIn): AccountKey {
  return { issuer: claims.iss, subject: claims.sub }
}

function addressTold({ email }: Facts): string | null {
  return typeof email === 'string' ? email.slice(0, 255) : null
}

/** Returns the facts about a person who is to be found, made or mapped. Throws SsoRefusal. */
async function factsOf(signedIn: SignedIn): Promise<Facts> {
  try {
    return await signedIn.facts()
  } catch (error) {
    throw error instanceof ProviderError ? asRefusal(error) : error
  }
}

/** Returns how a failure of a provider ends a sign-in. */
export function asRefusal(error: ProviderError): SsoRefusal {
  return new SsoRefusal(error.reason === 'TOKEN_INVALID' ? 'SSO_TOKEN_INVALID' : 'SSO_REFUSED', { cause: error })
}

/** Returns the groups of a person, in the form of the provider; undefined when it does not tell them, which is not the same as none. */
async function groupsOf(name: string, signedIn: SignedIn): Promise<unknown> {
  const told = claimOf(signedIn.claims, name)
  if (told !== undefined) return told
  // A provider that does not answer refuses nobody who is linked.
  const facts = await signedIn.facts().catch(() => ({}))
  return claimOf(facts, name)
}

/** The claim that names claims which do not fit into a token (OpenID Connect Core, section 5.6.2). */
const claimsKeptElsewhere = '_claim_names'

/** Somebody who has rights by groups keeps them, and whom it concerns is told that the provider did not tell the groups. */
async function keepWithoutGroups(
  context: CrmContext,
  provider: ProviderRow,
  person: Person,
  signedIn: SignedIn,
): Promise<void> {
  const [placed] = await context.db
    .select({ departmentId: identities.departmentId })
    .from(identities)
    .where(isAccount(context, accountOf(signedIn)))
  const isConcerned =
    Object.hasOwn(signedIn.claims, claimsKeptElsewhere) ||
    Boolean(placed?.departmentId) ||
    (await hasRolesByGroups(context, provider, person))
  if (isConcerned) await tellOfMissingGroups(asPerson(context, person), provider, person)
}

/**
 * Spells the issuer of a provider, and of its accounts, as the provider itself does: somebody may have typed it without its final slash,
 * and the same account must not become a second one when it is typed anew.
 */
async function spellAsProvider(
  context: CrmContext,
  { id, issuer: typed }: ProviderRow,
  { claims }: SignedIn,
): Promise<void> {
  const { iss } = claims
  if (typed === iss) return
  const workspaceId = context.workspace.id
  await context.transact(async (tx) => {
    await tx.execute(sql`
      UPDATE identities i SET issuer = ${iss} WHERE i.workspace_id = ${workspaceId} AND i.issuer = ${typed} AND NOT EXISTS (
        SELECT FROM identities o WHERE o.workspace_id = i.workspace_id AND o.issuer = ${iss} AND (o.subject = i.subject OR o.employee_id = i.employee_id))`)
    await tx
      .update(identityProviders)
      .set({ issuer: iss })
      .where(and(eq(identityProviders.workspaceId, workspaceId), eq(identityProviders.id, id)))
  })
}

async function linkedPerson(context: CrmContext, issuer: string, subject: string): Promise<Person | undefined> {
  const [row] = await context.db
    .select({ employeeId: identities.employeeId })
    .from(identities)
    .where(isAccount(context, { issuer, subject }))
  return row && readPerson(context.db, context.workspace.id, row.employeeId)
}

function isAccount({ workspace }: CrmContext, { issuer, subject }: AccountKey): SQL {
  return and(
    eq(identities.workspaceId, workspace.id),
    eq(identities.issuer, issuer),
    eq(identities.subject, subject),
  ) as SQL
}

async function noteUse(context: CrmContext, issuer: string, subject: string, email: string | null): Promise<void> {
  await context.db
    .update(identities)
    .set({ lastUsedAt: context.at, ...(email === null ? {} : { email }) })
    .where(isAccount(context, { issuer, subject }))
}

/** Returns the address by which a person may be found: verified by the provider, and of a domain that the workspace has proved. */
async function requireAddress(
  context: CrmContext,
  provider: ProviderRow,
  { email, email_verified: verified }: Facts,
): Promise<string> {
  if (typeof email !== 'string' || email.length > 255) throw new SsoRefusal('SSO_EMAIL_UNVERIFIED')
  // Some providers say so in a text, which is no proof by itself.
  const isVerified = verified === true || (provider.trustEmail && (verified === undefined || verified === 'true'))
  if (!isVerified) throw new SsoRefusal('SSO_EMAIL_UNVERIFIED', { email })
  const read = emailAddress.safeParse(email)
  if (!read.success) throw new SsoRefusal('SSO_EMAIL_INVALID', { email })
  const address = read.data
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const isOurs = provider.domains.includes(domain) && (await isVerifiedDomain(context.db, context.workspace.id, domain))
  if (!isOurs || provider.provisioning === 'OFF') throw new SsoRefusal('SSO_NOT_PROVISIONED', { email })
  return address
}

/** Links an account to a person who is there already, and tells them by mail. */
async function link(context: CrmContext, person: Person, account: Account): Promise<void> {
  await context.transact(async (tx) => {
    await insertIdentity(tx, context, person, account)
    const name = account.email ?? new URL(account.issuer).host
    await queueAccountMail(tx, asPerson(context, person), { kind: 'identity-linked', employeeId: person.id, name })
  })
}

async function insertIdentity(tx: Transaction, context: CrmContext, person: Person, account: Account): Promise<void> {
  const made = await tx
    .insert(identities)
    .values({
      ...account,
      workspaceId: context.workspace.id,
      id: newId(),
      employeeId: person.id,
      createdAt: context.at,
      lastUsedAt: context.at,
    })
    .onConflictDoNothing()
    .returning({ id: identities.id })
  // The person has another account at this issuer, or somebody else was linked at the same moment.
  if (made.length === 0) throw new SsoRefusal('SSO_LINK_CONFLICT', { email: account.email })
  await audit(tx, asPerson(context, person), {
    action: 'identity.linked',
    subjectType: 'EMPLOYEE',
    subjectId: person.id,
    summary: `${fullName(person)} signs in with ${new URL(account.issuer).host}`,
    data: { identityId: made[0]!.id },
  })
}

async function makePerson(
  context: CrmContext,
  provider: ProviderRow,
  { facts, account }: { readonly facts: Facts; readonly account: Account },
  email: string,
): Promise<Person> {
  const { workspace, at } = context
  const { given_name: given, family_name: family, name } = facts
  const id = newId()
  const firstName = textOf(given) ?? (textOf(family) === null ? textOf(name) : null)
  const fields = { email, firstName, lastName: textOf(family) }
  return changingPeople(context, async (tx) => {
    const [person] = await tx
      .insert(employees)
      .values({ ...fields, workspaceId: workspace.id, id, createdAt: at, updatedAt: at })
      .onConflictDoNothing()
      .returning()
    if (!person) throw new SsoRefusal('SSO_LINK_CONFLICT', { email })
    if (provider.defaultRoleIds.length > 0)
      await tx.execute(sql`
        INSERT INTO employee_roles (workspace_id, employee_id, role_id)
        SELECT workspace_id, ${id}::uuid, id FROM roles
        WHERE workspace_id = ${workspace.id} AND id = ANY (${`{${provider.defaultRoleIds.join()}}`}::uuid[])`)
    const roleIds = await tx
      .select({ id: employeeRoles.roleId })
      .from(employeeRoles)
      .where(and(eq(employeeRoles.workspaceId, workspace.id), eq(employeeRoles.employeeId, id)))
    const self = asPerson(context, person)
    await audit(tx, self, {
      action: 'user.provisioned',
      subjectType: 'EMPLOYEE',
      subjectId: id,
      summary: `${fullName(person)} joined with ${provider.name}`,
      changes: fieldChanges({}, { ...fields, roleIds: roleIds.map((role) => role.id) }),
    })
    await insertIdentity(tx, context, person, account)
    await tellOfPerson(tx, self, 'employee.created', id)
    return person
  })
}

/** A person acts for themselves at sign-in, before they have a session. */
function asPerson(context: CrmContext, person: Person): CrmContext {
  return { ...context, actor: { type: 'EMPLOYEE', id: person.id, name: fullName(person), source: 'UI' } }
}

function textsIn(value: unknown): readonly string[] {
  const list = (Array.isArray(value) ? value : [value]) as readonly unknown[]
  return list.filter((each): each is string => typeof each === 'string')
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 100) : null
}
