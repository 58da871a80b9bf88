import type { Transaction } from '@crm/db'
import { sql, type SQL } from 'drizzle-orm'
import { erasedText, likeAny, patternOf } from './privacy.terms.ts'

/** A column that may hold text about people. */
interface TextColumn {
  readonly table: string
  readonly column: string
  readonly type: 'text' | 'jsonb' | 'ARRAY'
}

/** The audit log is erased by its own rule, and these hold no texts of people. */
const untouched = ['audit_log', 'audit_chains', 'data_keys', 'processes', 'backfills', 'record_counts', 'sign_in_tries']

/** Columns whose values the service chooses. */
const chosen =
  'status state type kind method mode currency timezone locale time_format theme density start_page pinned unfolded entity_type'.split(
    ' ',
  )

/** The tables of the settings of a workspace and of things: a single name in them is rather a word. */
const settings =
  `workspaces workspace_hosts workspace_modules workspace_quotas organizations departments roles pipelines stages lead_sources industries currencies units tax_rates custom_fields custom_entities retired_fields number_sequences number_periods task_statuses project_statuses products product_categories product_tags product_attributes product_attribute_groups product_attribute_values product_attribute_assignments product_images price_lists price_list_entries price_list_entry_tiers documents workflows workflow_versions automation_rules webhook_triggers booking_links identity_providers domains oauth_clients dashboards saved_filters channels scim_groups audit_streams companies`.split(
    ' ',
  )

/** Documents with these tables keep everything once they have their number. */
export const financeTables = { quotes: 'QUOTE', orders: 'ORDER', invoices: 'INVOICE' } as const
const keptWith: Readonly<Record<string, SQL>> = {
  quotes: sql`number IS NULL`,
  orders: sql`number IS NULL`,
  invoices: sql`number IS NULL`,
}

async function textColumns(tx: Transaction): Promise<readonly TextColumn[]> {
  const { rows } = await tx.execute<{ table: string; column: string; type: string }>(sql`
    SELECT c.relname AS "table", a.attname AS "column", CASE y.typname WHEN '_text' THEN 'ARRAY' ELSE y.typname END AS type
    FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      JOIN pg_type y ON y.oid = a.atttypid AND y.typname IN ('text', 'jsonb', '_text')
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped)
      AND has_column_privilege(c.oid, a.attnum, 'UPDATE')
    ORDER BY c.relname, a.attnum`)
  const columns = rows as unknown as TextColumn[]
  return columns.filter(({ table, column }) => !untouched.includes(table) && !chosen.includes(column))
}

/** What is looked for: terms that name the person everywhere, and single names that nobody else in the workspace has. */
export interface Wanted {
  readonly terms: readonly string[]
  readonly names: readonly string[]
}

/** The pages of a table that one statement looks at, 80 MB, so that no statement takes long. */
const pagesAtOnce = 10_000

/** Returns the conditions that cut a table into parts for one statement each. */
async function partsOf(tx: Transaction, table: string): Promise<readonly SQL[]> {
  const { rows } = await tx.execute<{ pages: number }>(
    sql`SELECT ceil(pg_relation_size(${table}::regclass) / 8192.0)::int AS pages`,
  )
  const parts = Math.ceil((rows[0]?.pages ?? 0) / pagesAtOnce)
  return Array.from({ length: parts }, (_, at) => {
    const first = at * pagesAtOnce
    return sql`ctid >= ${`(${first},0)`}::tid AND ctid < ${`(${first + pagesAtOnce},0)`}::tid`
  })
}

/** Replaces what names a person in every text of the workspace, and returns how many rows of each table had it. */
export async function scrubTexts(
  tx: Transaction,
  workspaceId: string,
  wanted: Wanted,
): Promise<Record<string, number>> {
  const scrubbed: Record<string, number> = {}
  const byTable = Map.groupBy(await textColumns(tx), ({ table }) => table)
  for (const [table, columns] of byTable) {
    const terms = settings.includes(table) ? wanted.terms : [...wanted.terms, ...wanted.names]
    if (terms.length === 0) continue
    const rows = await scrubTable(tx, workspaceId, table, columns, terms)
    if (rows > 0) scrubbed[table] = rows
  }
  return scrubbed
}

async function scrubTable(
  tx: Transaction,
  workspaceId: string,
  table: string,
  columns: readonly TextColumn[],
  terms: readonly string[],
): Promise<number> {
  const name = sql.identifier(table)
  const all = sql.join(
    columns.map(({ column }) => sql`${sql.identifier(column)}::text`),
    sql`, `,
  )
  let changed = 0
  for (const part of await partsOf(tx, table)) {
    const { rows } = await tx.execute<{ place: string; row: Record<string, unknown> }>(sql`
      SELECT ctid::text AS place, to_jsonb(t) AS row FROM ${name} t
      WHERE ${part} AND workspace_id = ${workspaceId}
        AND ${keptWith[table] ?? sql`true`} AND lower(concat_ws(E'\n', ${all})) LIKE ANY (${sql.param(likeAny(terms))}) FOR UPDATE`)
    for (const { place, row } of rows) changed += await scrubRow(tx, { workspaceId, table, columns, terms }, place, row)
  }
  return changed
}

interface Scrubbing {
  readonly workspaceId: string
  readonly table: string
  readonly columns: readonly TextColumn[]
  readonly terms: readonly string[]
}

async function scrubRow(
  tx: Transaction,
  { workspaceId, table, columns, terms }: Scrubbing,
  place: string,
  row: Readonly<Record<string, unknown>>,
): Promise<number> {
  const pattern = patternOf(terms)
  const set = columns.flatMap(({ column, type }) => {
    const clean = scrubbed(row[column], pattern)
    if (clean === row[column]) return []
    const value = type === 'jsonb' ? sql`${JSON.stringify(clean)}::jsonb` : sql.param(clean)
    return [sql`${sql.identifier(column)} = ${value}`]
  })
  if (set.length === 0) return 0
  await tx.execute(sql`
    UPDATE ${sql.identifier(table)} SET ${sql.join(set, sql`, `)} WHERE workspace_id = ${workspaceId} AND ctid = ${place}::tid`)
  return 1
}

/** Returns a value with the found words replaced, at any depth; the same value when there are none. Names of members stay. */
function scrubbed(value: unknown, pattern: RegExp): unknown {
  if (typeof value === 'string') return value.replace(pattern, erasedText)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([name, part]) => [name, scrubbed(part, pattern)] as const)
  if (entries.every(([name, part]) => part === (value as Record<string, unknown>)[name])) return value
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries)
}

/** Returns the settings and things with a single name of the person in a text: it may be another word, so people decide. */
export async function sameWords(
  tx: Transaction,
  workspaceId: string,
  names: readonly string[],
): Promise<readonly KeptDocument[]> {
  if (names.length === 0) return []
  const found: KeptDocument[] = []
  const byTable = Map.groupBy(await textColumns(tx), ({ table }) => table)
  for (const [table, columns] of byTable) {
    if (!settings.includes(table)) continue
    const texts = sql.join(
      columns.map(({ column }) => sql`${sql.identifier(column)}::text`),
      sql`, `,
    )
    const pattern = patternOf(names)
    const ofTable: KeptDocument[] = []
    for (const part of await partsOf(tx, table)) {
      const { rows } = await tx.execute<{ id: string; text: string }>(sql`
        SELECT coalesce(to_jsonb(t)->>'id', '') AS id, concat_ws(E'\n', ${texts}) AS text FROM ${sql.identifier(table)} t
        WHERE ${part} AND workspace_id = ${workspaceId} AND lower(concat_ws(E'\n', ${texts})) LIKE ANY (${sql.param(likeAny(names))})
        LIMIT ${keptMax}`)
      ofTable.push(...rows.filter(({ text }) => text.search(pattern) !== -1).map(({ id }) => ({ type: table, id })))
      if (ofTable.length >= keptMax) break
    }
    found.push(...ofTable.slice(0, keptMax))
  }
  return found
}

/** The most rows of a table that are named as kept. */
const keptMax = 100

/** What keeps what it says. */
export interface KeptDocument {
  readonly type: string
  readonly id: string
}

/** Returns the issued finance documents that name the person. */
export async function issuedDocuments(
  tx: Transaction,
  workspaceId: string,
  contactId: string | null,
  terms: readonly string[],
): Promise<readonly KeptDocument[]> {
  const found: KeptDocument[] = []
  for (const [table, type] of Object.entries(financeTables)) {
    const named = sql`lower(to_jsonb(d)::text) LIKE ANY (${sql.param(likeAny(terms))})`
    const ids: string[] = []
    for (const part of await partsOf(tx, table)) {
      const { rows } = await tx.execute<{ id: string }>(sql`
        SELECT id FROM ${sql.identifier(table)} d
        WHERE ${part} AND workspace_id = ${workspaceId} AND number IS NOT NULL AND (contact_id = ${contactId}::uuid OR ${named})`)
      ids.push(...rows.map(({ id }) => id))
    }
    found.push(...ids.toSorted().map((id) => ({ type, id })))
  }
  return found
}
