import { lead, type PersonEntity } from '@crm/model'
import { emailKey } from '../../records/contact-points.ts'
import { holdings, schema, systemScope, type Executor, isAddress, isFolded, folded } from '@crm/db'
import { and, eq, getTableColumns, getTableName, is, sql, type SQL } from 'drizzle-orm'
import { PgTable, type PgColumn } from 'drizzle-orm/pg-core'
import { companyKind } from '../../kinds/companies.ts'
import { contactKind } from '../../kinds/contacts.ts'
import { leadKind } from '../../kinds/leads.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { personNameKey, sameText } from '../../records/owned/duplicates.ts'
import { contactDuplicates } from '../../resources/sales/contacts/contacts.likenesses.ts'
import { leadDuplicates } from '../../resources/sales/leads/leads.likenesses.ts'
import type { PersonWords } from './privacy.words.ts'

const { companies, employees } = schema

/** A record of somebody else that has a name, an address or a number of the person. */
export interface Claim {
  readonly type: PersonEntity | 'EMPLOYEE' | null
  readonly id: string
}

/** The words that are the person's alone, and who has the others as well. */
export interface OwnWords {
  readonly words: PersonWords
  readonly claims: readonly Claim[]
}

/**
 * Returns the words that nobody and nothing in the workspace has once the person's own rows are erased: no living person, no organization,
 * no key, and no thing with a name.
 */
export async function ownWords(db: Executor, workspaceId: string, words: PersonWords): Promise<OwnWords> {
  const claims: Claim[] = []
  const isOwn = async (conditions: Conditions): Promise<boolean> => {
    const found = await claimsOf(db, workspaceId, conditions)
    claims.push(...found)
    return found.length === 0
  }
  const filter = async <T>(all: readonly T[], conditionsOf: (word: T) => Conditions): Promise<T[]> => {
    const kept: T[] = []
    for (const word of all) if (await isOwn(conditionsOf(word))) kept.push(word)
    return kept
  }
  return {
    words: {
      emails: await filter(words.emails, (email) => conditionsOf('email', email)),
      phones: await filter(words.phones, (phone) => conditionsOf('phone', phone)),
      names: await filter(words.names, (parts) => conditionsOf('name', parts.join(' '))),
    },
    claims,
  }
}

/** The conditions that rows of other people and things have a word. */
interface Conditions {
  readonly leads: SQL
  readonly contacts: SQL
  readonly employees: SQL
  readonly companies: SQL
  /** Of a column with the name, address or number of something else. */
  readonly named: (column: PgColumn) => SQL
}

function conditionsOf(sign: 'email' | 'phone' | 'name', word: string): Conditions {
  const key = sign === 'email' ? emailKey(word) : word
  const isSame = (column: SQL): SQL => isFolded(column, word)
  return {
    leads: leadDuplicates.likenesses[sign].has(key),
    contacts: contactDuplicates.likenesses[sign].has(key),
    employees:
      sign === 'name'
        ? sql`${personNameKey(employees)} = crm_fold(${word})`
        : sign === 'email'
          ? isAddress(employees.email, word)
          : sql`false`,
    companies:
      sign === 'name'
        ? sameText(folded(companies.name), word, companies.searchText)
        : sign === 'email'
          ? isAddress(companies.email, word)
          : eq(companies.phone, word),
    named: (column) =>
      column.columnType === 'PgArray'
        ? sql`EXISTS (SELECT FROM unnest(${column}) AS one WHERE ${isSame(sql`one`)})`
        : isSame(sql`${column}`),
  }
}

/** The most records of one kind that are named. */
const claimsMax = 20

async function claimsOf(db: Executor, workspaceId: string, conditions: Conditions): Promise<readonly Claim[]> {
  const ofKind = async (kind: RecordKind, type: Claim['type'], condition: SQL): Promise<Claim[]> => {
    const rows = await db
      .select({ id: kind.table.id })
      .from(kind.table)
      .where(and(existing(kind, systemScope(workspaceId)), condition))
      .limit(claimsMax)
    return rows.map(({ id }) => ({ type, id: String(id) }))
  }
  const people = await db
    .select({ id: employees.id })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), conditions.employees))
    .limit(claimsMax)
  return [
    ...(await ofKind(leadKind, lead.entity, conditions.leads)),
    ...(await ofKind(contactKind, 'CONTACT', conditions.contacts)),
    ...people.map(({ id }) => ({ type: 'EMPLOYEE', id }) as const),
    ...(await ofKind(companyKind, null, conditions.companies)),
    ...(await namedAlike(db, workspaceId, conditions)),
  ]
}

/** The columns of the schema with names, addresses and numbers of things, settings and organizations, by table. Companies have an index for it. */
const namingTables = Object.entries(schema).flatMap(([key, table]) => {
  if (!is(table, PgTable) || table === companies) return []
  const held: Readonly<Record<string, string>> = holdings[key as keyof typeof holdings] ?? {}
  const columns = getTableColumns(table as PgTable)
  const names = Object.entries(columns).flatMap(([name, column]) => (held[name] === 'name' ? [column] : []))
  return names.length > 0 ? [{ table, names, id: columns['workspaceId'] ?? columns['id'] }] : []
})

async function namedAlike(db: Executor, workspaceId: string, { named }: Conditions): Promise<readonly Claim[]> {
  for (const { table, names, id } of namingTables) {
    const isNamed = sql.join(names.map(named), sql` OR `)
    const { rows } = await db.execute(
      sql`SELECT 1 FROM ${sql.identifier(getTableName(table))} WHERE ${id} = ${workspaceId} AND (${isNamed}) LIMIT 1`,
    )
    if (rows.length > 0) return [{ type: null, id: '' }]
  }
  return []
}
