import { schema, visible, type Executor, type Scope } from '@crm/db'
import { and, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { emailKey } from '../../records/contact-points.ts'
import { leadColumns, type LeadRow } from './leads.record.ts'

const { leads } = schema

export type DuplicateKey = 'email' | 'phone' | 'name' | 'company'

/** What two leads share for each way to look alike. */
const keyExpressions: Record<DuplicateKey, SQL> = {
  email: sql`lower(${leads.email})`,
  phone: sql`${leads.phone}`,
  name: sql`nullif(crm_fold(trim(coalesce(${leads.firstName}, '') || ' ' || coalesce(${leads.lastName}, ''))), '')`,
  company: sql`crm_fold(${leads.companyName})`,
}

/** How much a shared value says that two leads are the same person, from 0 to 100. */
const weights: Record<DuplicateKey, number> = { email: 60, phone: 50, name: 30, company: 15 }

export interface DuplicateGroup {
  readonly value: string
  readonly leads: readonly LeadRow[]
}

/** Groups of visible leads that share a value, the largest first. */
export async function findDuplicateGroups(
  db: Executor,
  scope: Scope,
  by: DuplicateKey,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly groups: readonly DuplicateGroup[]; readonly total: number }> {
  const key = keyExpressions[by]
  const { rows } = await db.execute<{ value: string; ids: string[]; total: number }>(sql`
    SELECT ${key} AS value, array_agg(${leads.id} ORDER BY ${leads.createdAt}) AS ids, count(*) OVER ()::int AS total
    FROM ${leads} WHERE ${and(visible(scope, leads), isNull(leads.deletedAt))} AND ${key} IS NOT NULL
    GROUP BY 1 HAVING count(*) > 1 ORDER BY count(*) DESC, 1 LIMIT ${page.limit} OFFSET ${page.offset}`)
  const found = await selectByIds(db, scope, rows.flatMap((row) => row.ids))
  const groups = rows.map((row) => ({ value: row.value, leads: row.ids.flatMap((id) => found.get(id) ?? []) }))
  return { groups, total: rows[0]?.total ?? (page.offset === 0 ? 0 : await countGroups(db, scope, key)) }
}

async function countGroups(db: Executor, scope: Scope, key: SQL): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (
      SELECT 1 FROM ${leads} WHERE ${and(visible(scope, leads), isNull(leads.deletedAt))} AND ${key} IS NOT NULL
      GROUP BY ${key} HAVING count(*) > 1) groups`)
  return rows[0]?.total ?? 0
}

async function selectByIds(db: Executor, scope: Scope, ids: readonly string[]): Promise<Map<string, LeadRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.select(leadColumns).from(leads).where(and(visible(scope, leads), inArray(leads.id, [...ids])))
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Likeness {
  readonly lead: LeadRow
  readonly score: number
  readonly matchedOn: DuplicateKey[]
}

/** The visible leads that share something with one lead, the likeliest first. */
export async function findLikenesses(db: Executor, scope: Scope, lead: LeadRow): Promise<Likeness[]> {
  const conditions = [
    lead.email ? sql`${keyExpressions.email} = ${emailKey(lead.email)}` : undefined,
    lead.phone ? eq(leads.phone, lead.phone) : undefined,
    lead.firstName || lead.lastName ? sql`${keyExpressions.name} = crm_fold(${nameOf(lead)})` : undefined,
    lead.companyName ? sql`${keyExpressions.company} = crm_fold(${lead.companyName})` : undefined,
  ].filter((condition) => condition !== undefined)
  if (conditions.length === 0) return []
  const rows = await db
    .select(leadColumns)
    .from(leads)
    .where(and(visible(scope, leads), isNull(leads.deletedAt), ne(leads.id, lead.id), or(...conditions)))
    .orderBy(leads.createdAt)
    .limit(100)
  return rows.map((other) => likeness(lead, other)).sort((a, b) => b.score - a.score)
}

/** How alike two leads are, and in what. */
export function likeness(lead: LeadRow, other: LeadRow): Likeness {
  const matchedOn = (Object.keys(weights) as DuplicateKey[]).filter((key) => shares(key, lead, other))
  return { lead: other, matchedOn, score: Math.min(100, matchedOn.reduce((sum, key) => sum + weights[key], 0)) }
}

function shares(key: DuplicateKey, a: LeadRow, b: LeadRow): boolean {
  const value = (lead: LeadRow): string | null => {
    if (key === 'email') return lead.email && emailKey(lead.email)
    if (key === 'phone') return lead.phone
    return folded(key === 'name' ? nameOf(lead) : (lead.companyName ?? ''))
  }
  const first = value(a)
  return Boolean(first) && first === value(b)
}

function nameOf(lead: LeadRow): string {
  return `${lead.firstName ?? ''} ${lead.lastName ?? ''}`.trim()
}

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
