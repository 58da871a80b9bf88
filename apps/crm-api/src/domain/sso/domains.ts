import { brokenConstraint, schema, type Executor, type Transaction } from '@crm/db'
import type { TextResolver } from '@crm/egress'
import { domainRecord } from '@crm/identity'
import { and, eq, isNotNull } from 'drizzle-orm'

const { domains } = schema

export type DomainRow = typeof domains.$inferSelect

/** Whether the record of a domain is published now. */
export async function isPublished(row: DomainRow, resolve: TextResolver): Promise<boolean> {
  const { name, value } = domainRecord(row)
  return (await resolve(name)).some((text) => text.trim() === value)
}

/** Notes that a domain is proved; returns false when another workspace has proved it already. */
export async function noteVerified(tx: Transaction, row: DomainRow, at: string): Promise<boolean> {
  try {
    // A savepoint, so that a refusal of the index leaves the transaction usable.
    await tx.transaction((inner) =>
      inner
        .update(domains)
        .set({ verifiedAt: row.verifiedAt ?? at })
        .where(and(eq(domains.workspaceId, row.workspaceId), eq(domains.id, row.id))),
    )
    return true
  } catch (error) {
    if (brokenConstraint(error) === 'domains_owner') return false
    throw error
  }
}

/** Whether the addresses of a domain belong to the workspace. */
export async function isVerifiedDomain(db: Executor, workspaceId: string, domain: string): Promise<boolean> {
  const rows = await db
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.workspaceId, workspaceId), eq(domains.domain, domain), isNotNull(domains.verifiedAt)))
  return rows.length > 0
}
