import type { CompanyInput, ContactInput } from '@crm/contract'
import { isAddress, isFolded, schema, type Executor, type Scope } from '@crm/db'
import { sql, type SQL } from 'drizzle-orm'
import { emailKey, toE164 } from '../../../records/contact-points.ts'
import { isPlaceholder } from '../../../records/placeholders.ts'
import { isPublicMail } from '../../../records/public-mail.ts'
import type { OwnedRow, RecordKind } from '../../../records/owned/kind.ts'
import { existing } from '../../../records/owned/list.ts'
import { companyKind } from '../../../kinds/companies.ts'
import { contactKind, hasEmail, hasPhone } from '../../../kinds/contacts.ts'
import type { WriteContext } from '../../../records/owned/write.ts'

const { companies } = schema

/** A record to which a lead could be linked. */
export interface Candidate {
  readonly id: string
  readonly name: string
  readonly matchedOn: string
}

/** Returns the domain of an email address when it names a company; null for the addresses of mail providers. */
export function companyDomain(email: string | null): string | null {
  const domain = email?.split('@')[1]
  return domain && !isPublicMail(domain) ? emailKey(domain) : null
}

/** Returns the name of a company; null where nobody knew one. */
export function companyName(name: string | null | undefined): string | null {
  return name && !isPlaceholder(name) ? name : null
}

type Seeing = Pick<WriteContext, 'scopeIfAllowed'>

/** Returns the contacts that the caller may see with an email address, else those with a phone number. */
export async function findContactCandidates(
  db: Executor,
  context: Seeing,
  { email, phone }: Pick<ContactInput, 'email' | 'phone'>,
): Promise<Candidate[]> {
  const number = phone && toE164(phone)
  return firstFound(db, context, contactKind, [
    ['email', email ? hasEmail(email) : undefined],
    ['phone', number ? hasPhone(number) : undefined],
  ])
}

/**
 * Returns the companies that the caller may see with a name, then those with a domain. With `isSure` only those that a lead is linked to unasked:
 * a company of another name is another company, though its domain is the same.
 */
export async function findCompanyCandidates(
  db: Executor,
  context: Seeing,
  { domain, name }: Partial<CompanyInput>,
  { isSure }: { readonly isSure: boolean },
): Promise<Candidate[]> {
  const named = companyName(name)
  const byDomain = domain && !isPublicMail(domain) ? isAddress(companies.domain, domain) : undefined
  const ways = [
    ['name', named ? isFolded(companies.name, named) : undefined],
    ['domain', isSure && named ? undefined : byDomain],
  ] as const
  if (isSure) return firstFound(db, context, companyKind, ways)
  const found: Candidate[] = []
  for (const way of ways) found.push(...(await firstFound(db, context, companyKind, [way])))
  return found.filter(({ id }, at) => found.findIndex((other) => other.id === id) === at)
}

/** Returns the results of the first search that finds anything. */
async function firstFound<Row extends OwnedRow>(
  db: Executor,
  { scopeIfAllowed }: Seeing,
  kind: RecordKind<Row>,
  ways: readonly (readonly [matchedOn: string, condition: SQL | undefined])[],
): Promise<Candidate[]> {
  const scope = scopeIfAllowed(kind.entityType)
  if (!scope) return []
  for (const [matchedOn, condition] of ways) {
    const rows = condition ? await select(db, kind, scope, condition) : []
    if (rows.length > 0) return rows.map((row) => ({ id: row.id, name: kind.title(row), matchedOn }))
  }
  return []
}

const candidatesMax = 10

async function select<Row extends OwnedRow>(
  db: Executor,
  kind: RecordKind<Row>,
  scope: Scope,
  condition: SQL,
): Promise<Row[]> {
  const { rows } = await db.execute(sql`
    SELECT ${kind.rows.selection(scope.workspaceId)} FROM ${kind.table} WHERE ${existing(kind, scope)} AND ${condition} ORDER BY ${kind.table.createdAt}, ${kind.table.id} LIMIT ${candidatesMax}`)
  return rows.map((row) => kind.rows.read(row))
}
