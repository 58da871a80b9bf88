import { scimTokens, success } from '@crm/contract'
import { newId, schema } from '@crm/db'
import { ApiError, invalidField, invalidReference } from '@crm/errors'
import { digest, fullName, keyPrefix, newSecret, scimTokenPrefix } from '@crm/identity'
import { and, count, desc, eq } from 'drizzle-orm'
import { implement } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'

const { employees, scimTokens: table } = schema

export const implementedScimTokens = implement(scimTokens, {
  list: async ({ query }, { db, workspace }) => {
    const where = eq(table.workspaceId, workspace.id)
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db
      .select({ token: table, owner: employees })
      .from(table)
      .innerJoin(employees, and(eq(employees.workspaceId, table.workspaceId), eq(employees.id, table.ownerId)))
      .where(where)
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    const items = rows.map(({ token, owner }) => {
      const { id, name, prefix, ownerId, createdAt, expiresAt, lastUsedAt, lastUsedAddress } = token
      return {
        id,
        name,
        prefix,
        ownerId,
        ownerName: fullName(owner),
        createdAt,
        expiresAt,
        lastUsedAt,
        lastUsedAddress,
      }
    })
    return pageOf({ items, total: total?.n ?? 0 }, query)
  },

  create: async ({ body }, context) => {
    const { name, ownerId, expiresAt = null } = body
    const { workspace, at, caller } = context
    if (expiresAt && expiresAt <= at) throw invalidField('expiresAt', 'Expected a time in the future')
    const [id, token] = [newId(), newSecret(scimTokenPrefix)]
    await changingWorkspace(context, async (tx) => {
      const [owner] = await tx
        .select({ kind: employees.kind, status: employees.status })
        .from(employees)
        .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, ownerId)))
      if (!owner) throw invalidReference('ownerId')
      if (owner.kind !== 'SERVICE' || owner.status !== 'ACTIVE')
        throw invalidField('ownerId', 'Expected an active service account')
      await tx.insert(table).values({
        workspaceId: workspace.id,
        id,
        name,
        prefix: keyPrefix(token),
        tokenHash: digest(token),
        ownerId,
        createdAt: at,
        createdById: caller.employee.id,
        expiresAt,
      })
      await audit(tx, context, {
        action: 'scim-token.created',
        subjectType: 'SCIM_TOKEN',
        subjectId: id,
        summary: `Created the token ${name} for a directory`,
        data: { ownerId, expiresAt },
      })
    })
    return success({ id, token })
  },

  delete: async ({ params }, context) => {
    await changingWorkspace(context, async (tx) => {
      const [gone] = await tx
        .delete(table)
        .where(and(eq(table.workspaceId, context.workspace.id), eq(table.id, params.id)))
        .returning({ name: table.name })
      if (!gone) throw new ApiError('NOT_FOUND', { message: 'There is no such token' })
      await audit(tx, context, {
        action: 'scim-token.deleted',
        subjectType: 'SCIM_TOKEN',
        subjectId: params.id,
        summary: `Ended the token ${gone.name} of a directory`,
      })
    })
    return success({ id: params.id })
  },
})
