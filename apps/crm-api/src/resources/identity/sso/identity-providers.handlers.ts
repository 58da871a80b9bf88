import { identityProviders, success, type ProviderInput, type ProviderPatch } from '@crm/contract'
import { fieldChanges, isAnyOf, newId, schema, type Transaction } from '@crm/db'
import { ApiError, invalidField, invalidReference } from '@crm/errors'
import { and, asc, count, eq, type SQL } from 'drizzle-orm'
import { followGroupsOpenly, requireRoles } from '../../../domain/people/people.roles.ts'
import { leavePlaces } from '../../../domain/sso/accounts.ts'
import { ProviderError } from '../../../platform/provider-client.ts'
import { secretPlace, type ProviderRow } from '../../../domain/sso/providers.repository.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingPeople } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'

const { departments, identityProviders: table, providerRoles } = schema
const uniqueFields = { identity_providers_slug: 'slug' }
const usualScopes = ['openid', 'email', 'profile']

export const implementedIdentityProviders = implement(identityProviders, {
  list: async ({ query }, { db, workspace }) => {
    const where = eq(table.workspaceId, workspace.id)
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db
      .select()
      .from(table)
      .where(where)
      .orderBy(asc(table.name), asc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(toRecord), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(await readOne(context, params.id)),

  create: async ({ body }, context) => {
    const id = newId()
    const { workspace, at, caller } = context
    const { clientSecret, authMethod = clientSecret ? 'client_secret_basic' : 'none', ...fields } = body
    requireSecret(authMethod, clientSecret ?? null)
    const issuer = await discover(context, body.issuer)
    await context.transact(async (tx) => {
      await requireReferences(tx, context, body)
      await withUniqueFields(uniqueFields, async () =>
        tx.insert(table).values({
          scopes: usualScopes,
          ...fields,
          issuer,
          authMethod,
          clientSecret: await sealed(tx, context, id, clientSecret),
          workspaceId: workspace.id,
          id,
          createdById: caller.employee.id,
          createdAt: at,
          updatedAt: at,
        }),
      )
      await audit(tx, context, {
        action: 'identity-provider.created',
        subjectType: 'IDENTITY_PROVIDER',
        subjectId: id,
        summary: `Added the identity provider ${body.name}`,
        changes: fieldChanges({}, { ...fields, issuer, authMethod }),
      })
    })
    return success(await readOne(context, id))
  },

  update: async ({ params, body }, context) => {
    const before = await readRow(context, params.id)
    const { clientSecret, ...sent } = body
    refuseSecretForOthers(before, body)
    requireSecret(body.authMethod ?? before.authMethod, clientSecret === undefined ? before.clientSecret : clientSecret)
    // Switching a provider off works while it does not answer.
    const spelled = body.isActive === false ? undefined : await discover(context, body.issuer ?? before.issuer)
    const fields = sent.issuer === undefined || spelled === undefined ? sent : { ...sent, issuer: spelled }
    await context.transact(async (tx) => {
      await requireReferences(tx, context, body)
      const [now] = await tx.select().from(table).where(isProvider(context, params.id)).for('no key update')
      if (!now) throw noProvider()
      refuseSecretForOthers(now, body)
      const secret =
        clientSecret === undefined ? {} : { clientSecret: await sealed(tx, context, params.id, clientSecret) }
      await withUniqueFields(uniqueFields, () =>
        tx
          .update(table)
          .set({ ...fields, ...secret, updatedAt: context.at })
          .where(isProvider(context, params.id)),
      )
      await audit(tx, context, {
        action: 'identity-provider.changed',
        subjectType: 'IDENTITY_PROVIDER',
        subjectId: params.id,
        summary: `Changed the identity provider ${before.name}`,
        changes: fieldChanges(now, fields),
        data: { fields: Object.keys(body) },
      })
    })
    return success(await readOne(context, params.id))
  },

  delete: async ({ params }, context) => {
    await changingPeople(context, async (tx) => {
      const ofProvider = and(
        eq(providerRoles.workspaceId, context.workspace.id),
        eq(providerRoles.providerId, params.id),
      )
      const people = await tx.selectDistinct({ id: providerRoles.employeeId }).from(providerRoles).where(ofProvider)
      const [gone] = await tx
        .delete(table)
        .where(isProvider(context, params.id))
        .returning({ name: table.name, issuer: table.issuer })
      if (!gone) throw noProvider()
      const ids = people.map(({ id }) => id)
      await followGroupsOpenly(tx, context, ids)
      await leavePlaces(tx, context, gone.issuer)
      await audit(tx, context, {
        action: 'identity-provider.deleted',
        subjectType: 'IDENTITY_PROVIDER',
        subjectId: params.id,
        summary: `Deleted the identity provider ${gone.name}`,
      })
    })
    return success({ id: params.id })
  },
})

function isProvider({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function readRow(context: CrmContext, id: string): Promise<ProviderRow> {
  const [row] = await context.db.select().from(table).where(isProvider(context, id))
  if (!row) throw noProvider()
  return row
}

async function readOne(context: CrmContext, id: string) {
  return toRecord(await readRow(context, id))
}

function toRecord({ workspaceId: _workspace, clientSecret, groupMapping, ...row }: ProviderRow) {
  return {
    ...row,
    hasSecret: clientSecret !== null,
    groupMapping: groupMapping.map((rule) => ({ ...rule, roleIds: [...rule.roleIds] })),
  }
}

/** Asks the provider who it is, before anything is saved, and returns the issuer as it spells it. */
async function discover(context: CrmContext, issuer: string): Promise<string> {
  try {
    return (await context.deps.providers.discover(issuer)).issuer
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.reason !== 'MISMATCH') throw new ApiError('ISSUER_UNREACHABLE')
    if (error.issuer === null) throw new ApiError('ISSUER_MISMATCH')
    const message = `The identity provider calls itself ${error.issuer}; enter exactly that`
    throw new ApiError('ISSUER_MISMATCH', { message })
  }
}

/** The kept secret goes to the issuer for which somebody typed it, and to no other. */
function refuseSecretForOthers(before: ProviderRow, { issuer, clientSecret }: ProviderPatch): void {
  if (
    before.clientSecret !== null &&
    clientSecret === undefined &&
    issuer !== undefined &&
    !isSameIssuer(issuer, before.issuer)
  )
    throw invalidField('clientSecret', 'Another issuer needs its secret anew')
}

function requireSecret(authMethod: ProviderRow['authMethod'], secret: string | null): void {
  if (authMethod !== 'none' && secret === null)
    throw invalidField('clientSecret', 'This way of signing in needs a secret')
}

async function sealed(
  tx: Transaction,
  { deps, workspace }: CrmContext,
  id: string,
  secret: string | null | undefined,
): Promise<string | null> {
  return secret ? deps.secrets.seal(tx, secretPlace({ workspaceId: workspace.id, id }), secret) : null
}

async function requireReferences(
  tx: Transaction,
  context: CrmContext,
  { defaultRoleIds = [], groupMapping = [] }: ProviderInput | ProviderPatch,
): Promise<void> {
  await requireRoles(tx, context, defaultRoleIds, 'defaultRoleIds')
  const mapped = groupMapping.flatMap(({ roleIds }) => roleIds)
  await requireRoles(tx, context, mapped, 'groupMapping')
  const places = [...new Set(groupMapping.flatMap(({ departmentId }) => departmentId ?? []))]
  if (places.length === 0) return
  const found = await tx
    .select({ id: departments.id })
    .from(departments)
    .where(and(eq(departments.workspaceId, context.workspace.id), isAnyOf(departments.id, places)))
    .for('key share')
  if (found.length !== places.length) throw invalidReference('groupMapping')
}

function noProvider(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such identity provider' })
}

/** A final slash after the host makes no other issuer; the provider's own spelling is stored. */
function isSameIssuer(one: string, other: string): boolean {
  return new URL(one).href === new URL(other).href
}
