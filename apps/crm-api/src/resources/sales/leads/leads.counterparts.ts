import type { CompanyInput, ContactInput } from '@crm/contract'
import { schema, type Executor, type Scope } from '@crm/db'
import { sql, type SQL } from 'drizzle-orm'
import { toE164 } from '../../../records/contact-points.ts'
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

/** Domains whose addresses say nothing about a company. */
const freeMailDomains = new Set([
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'yahoo.com',
  'icloud.com',
  'me.com',
  'aol.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  'proton.me',
  'protonmail.com',
  'mail.ru',
  'yandex.ru',
  'free.fr',
  'orange.fr',
])

/** Returns the domain of an email address when it names a company; null for the addresses of mail providers. */
export function companyDomain(email: string | null): string | null {
  const domain = email?.split('@')[1]?.toLowerCase()
  return domain && !freeMailDomains.has(domain) ? domain : null
}

type Seeing = Pick<WriteContext, 'scopeIfAllowed'>

/** Returns the contacts that the caller may see with an email address, else those with a phone number. */
export async function findContactCandidates(
  db: Executor,
  context: Seeing,
  { email, phone }: ContactInput,
): Promise<Candidate[]> {
  const number = phone && toE164(phone)
  return firstFound(db, context, contactKind, [
    ['email', email ? hasEmail(email) : undefined],
    ['phone', number ? hasPhone(number) : undefined],
  ])
}

/** Returns the companies that the caller may see with a domain, else those with a name. */
export async function findCompanyCandidates(
  db: Executor,
  context: Seeing,
  { domain, name }: Partial<CompanyInput>,
): Promise<Candidate[]> {
  return firstFound(db, context, companyKind, [
    ['domain', domain ? sql`lower(${companies.domain}) = lower(${domain})` : undefined],
    ['name', name ? sql`lower(${companies.name}) = lower(${name})` : undefined],
  ])
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
    SELECT ${kind.rows.selection} FROM ${kind.table} WHERE ${existing(kind, scope)} AND ${condition} ORDER BY ${kind.table.createdAt}, ${kind.table.id} LIMIT ${candidatesMax}`)
  return rows.map((row) => kind.rows.read(row))
}
