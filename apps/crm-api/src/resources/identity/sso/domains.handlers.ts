import { domains, success } from '@crm/contract'
import { newId, schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { domainRecord, newSecret } from '@crm/identity'
import { and, asc, count, eq, type SQL } from 'drizzle-orm'
import { isPublished, noteVerified, type DomainRow } from '../../../domain/sso/domains.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { withUniqueFields } from '../../../records/unique.ts'

const { domains: table } = schema

export const implementedDomains = implement(domains, {
  list: async ({ query }, { db, workspace }) => {
    const where = eq(table.workspaceId, workspace.id)
    const [total] = await db.select({ n: count() }).from(table).where(where)
    const rows = await db
      .select()
      .from(table)
      .where(where)
      .orderBy(asc(table.domain))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: rows.map(toRecord), total: total?.n ?? 0 }, query)
  },

  create: async ({ body }, context) => {
    const { workspace, at, caller } = context
    const row: DomainRow = {
      workspaceId: workspace.id,
      id: newId(),
      domain: body.domain,
      challenge: newSecret(),
      verifiedAt: null,
      createdAt: at,
      createdById: caller.employee.id,
    }
    await context.transact(async (tx) => {
      await withUniqueFields({ domains_name: 'domain' }, () => tx.insert(table).values(row))
      await note(tx, context, 'domain.created', row, `Claimed the domain ${row.domain}`)
    })
    return success(toRecord(row))
  },

  verify: async ({ params }, context) => {
    const [row] = await context.db.select().from(table).where(isDomain(context, params.id))
    if (!row) throw noDomain()
    // DNS is asked before the transaction: nothing in the database waits for it.
    if (!row.verifiedAt && !(await isPublished(row, context.deps.resolveText)))
      throw context.refuse('DOMAIN_NOT_VERIFIED')
    const verified = { ...row, verifiedAt: row.verifiedAt ?? context.at }
    await context.transact(async (tx) => {
      if (!(await noteVerified(tx, row, context.at)))
        throw context.refuse('NAME_TAKEN', {
          message: 'Another workspace has this domain',
          details: { field: 'domain' },
        })
      await note(tx, context, 'domain.changed', row, `Proved the domain ${row.domain}`)
    })
    return success(toRecord(verified))
  },

  delete: async ({ params }, context) => {
    await context.transact(async (tx) => {
      const [gone] = await tx.delete(table).where(isDomain(context, params.id)).returning()
      if (!gone) throw noDomain()
      await note(tx, context, 'domain.deleted', gone, `Gave up the domain ${gone.domain}`)
    })
    return success({ id: params.id })
  },
})

function toRecord(row: DomainRow) {
  const { id, domain, createdAt, verifiedAt } = row
  const status = verifiedAt ? ('VERIFIED' as const) : ('PENDING' as const)
  return { id, domain, status, record: domainRecord(row), createdAt, verifiedAt }
}

function isDomain({ workspace }: CrmContext, id: string): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.id, id)) as SQL
}

async function note(
  tx: Transaction,
  context: CrmContext,
  action: string,
  { id }: DomainRow,
  summary: string,
): Promise<void> {
  await audit(tx, context, { action, subjectType: 'DOMAIN', subjectId: id, summary })
}

function noDomain(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such domain' })
}
