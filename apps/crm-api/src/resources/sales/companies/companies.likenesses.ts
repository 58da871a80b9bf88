import { companyNameKey, isPlaceholder } from '../../../records/placeholders.ts'
import { company, namesWith } from '@crm/model'
import { domainName } from '@crm/contract'
import { addressKey, schema, type Transaction } from '@crm/db'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { emailKey, toE164 } from '../../../records/contact-points.ts'
import { sameCompany, type Likenesses, type TypedSigns } from '../../../records/owned/duplicates.ts'
import type { MergeRules, Merging } from '../../../records/owned/merge.ts'
import { searchCondition } from '../../../records/search-terms.ts'
import { isWithin, lockTree } from '../../../records/trees.ts'
import { referringColumns } from '../../../kinds/referring-columns.ts'
import { companyKind, type CompanyRow } from '../../../kinds/companies.ts'
import { companyTree } from './companies.repository.ts'

const { companies } = schema

type CompanySigns = Pick<CompanyRow, 'domain' | 'name' | 'email' | 'phone'>

const domainOf = addressKey(companies.domain)
const nameOf = companyNameKey(companies.name)
const emailOf = addressKey(companies.email)
const found = (text: string, condition: SQL): SQL => and(searchCondition(text, companies.searchText), condition) as SQL

/** The ways in which two companies can look alike. */
const companyLikenesses: Likenesses<CompanySigns, 'domain' | 'name' | 'email' | 'phone'> = {
  domain: {
    key: domainOf,
    valueOf: ({ domain }) => domain && emailKey(domain),
    has: (domain) => eq(domainOf, domain),
    weight: 60,
  },
  name: {
    key: nameOf,
    from: { text: sql`${companies.name}`, keyOf: companyNameKey },
    valueOf: ({ name }) => (isPlaceholder(name) ? null : name),
    has: (name) => sameCompany(nameOf, name, companies.searchText),
    weight: 50,
  },
  email: {
    key: emailOf,
    valueOf: ({ email }) => email && emailKey(email),
    has: (email) => found(email, eq(emailOf, email)),
    weight: 40,
  },
  phone: {
    key: sql`${companies.phone}`,
    valueOf: ({ phone }) => phone,
    has: (phone) => found(phone, eq(companies.phone, phone)),
    weight: 40,
  },
}

const companyMerge: MergeRules<CompanyRow> = {
  kind: companyKind,
  preferable: namesWith(company.fields, 'preferred'),
  notTaken: ['parentId'],
  complete: async (tx, merging) => ({ parentId: await parentAfterMerge(tx, merging) }),
  children: referringColumns(company.entity),
}

/** The rules by which companies look alike and are merged. */
export const companyDuplicates = {
  merge: companyMerge,
  likenesses: companyLikenesses,
  signsOf: ({ domain, name, email = null, phone = null }: TypedSigns<CompanySigns>): CompanySigns => ({
    // An address such as https://www.example.com/about names the domain, too.
    domain: domainName.safeParse(domain).data ?? null,
    name: name ?? '',
    email,
    phone: phone && toE164(phone),
  }),
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
