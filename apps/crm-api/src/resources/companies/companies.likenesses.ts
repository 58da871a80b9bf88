import { preferableFields } from '@crm/contract'
import { schema, type Transaction } from '@crm/db'
import { sql } from 'drizzle-orm'
import { emailKey } from '../../records/contact-points.ts'
import type { Likenesses } from '../../records/owned/duplicates.ts'
import type { MergeRules, Merging } from '../../records/owned/merge.ts'
import { isWithin, lockTree } from '../../records/trees.ts'
import { companyKind, type CompanyRow } from '../../kinds/companies.ts'
import { companyTree } from './companies.repository.ts'

const { companies, contacts, deals, invoices, leads, orders, priceLists, projects, quotes } = schema

/** The ways in which two companies can look alike. */
export const companyLikenesses: Likenesses<CompanyRow, 'domain' | 'name' | 'email' | 'phone'> = {
  domain: { key: sql`lower(${companies.domain})`, valueOf: ({ domain }) => domain?.toLowerCase() ?? null, weight: 60 },
  name: { key: sql`crm_fold(${companies.name})`, valueOf: ({ name }) => name, weight: 50 },
  email: { key: sql`lower(${companies.email})`, valueOf: ({ email }) => email && emailKey(email), weight: 40 },
  phone: { key: sql`${companies.phone}`, valueOf: ({ phone }) => phone, weight: 40 },
}

export const companyMerge: MergeRules<CompanyRow> = {
  kind: companyKind,
  preferable: preferableFields.COMPANY,
  notTaken: ['parentId'],
  complete: async (tx, merging) => ({ parentId: await parentAfterMerge(tx, merging) }),
  children: [
    { table: contacts, column: contacts.companyId },
    { table: deals, column: deals.companyId },
    { table: leads, column: leads.companyId },
    { table: projects, column: projects.companyId },
    { table: companies, column: companies.parentId },
    { table: priceLists, column: priceLists.companyIds },
    { table: quotes, column: quotes.companyId },
    { table: orders, column: orders.companyId },
    { table: invoices, column: invoices.companyId },
  ],
}

/** Returns the first parent of the merged companies that is not below one of them: the merged company cannot be below itself. */
async function parentAfterMerge(
  tx: Transaction,
  { workspaceId, target, sources }: Merging<CompanyRow>,
): Promise<string | null> {
  const all = [target, ...sources]
  const parentIds = all.map(({ parentId }) => parentId).filter((parentId) => parentId !== null)
  if (parentIds.length > 0) await lockTree(tx, companyTree, workspaceId)
  for (const parentId of parentIds) {
    if (
      !(await isWithin(
        tx,
        companyTree,
        workspaceId,
        parentId,
        all.map(({ id }) => id),
      ))
    )
      return parentId
  }
  return null
}
