import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'
import * as schema from './schema/index.ts'
import { refusedForm } from './statement-forms.ts'
import { comparisonsOf, levelsOf, tablesIn, type StatementLevel, type UsedTable } from './statement-levels.ts'

/** The shape of a statement that a deployable sent. */
export interface RecordedStatement {
  /** The role of the deployable. */
  readonly role: string
  readonly text: string
}

/** A statement that does not name the workspace of a table's rows. */
export interface UnboundStatement extends RecordedStatement {
  readonly table: string
}

/** A statement whose form a distributed database refuses. */
export interface RefusedStatement extends UnboundStatement {
  readonly because: string
}

/** The roles whose deployables answer requests. */
const requestRoles = ['crm_api', 'crm_booking', 'crm_hooks', 'crm_gateway']
const allRoles = [...requestRoles, 'crm_dispatcher']

/** Statements that may look over all workspaces: those of background work, and the one that learns the workspace from the host. */
const acrossWorkspaces: readonly { readonly shape: RegExp; readonly because: string }[] = [
  { shape: /\b(from|join) work_failures\b/, because: 'work that falls due leaves out what failed and waits' },
  { shape: /\bworkspace_id <> all \(/, because: 'work for all workspaces leaves out those where it failed' },
  {
    shape: /\boutbox\b.* (relayed_at|ctid) /,
    because: 'the relay hands rows on, and an upgrade rewrites their payload',
  },
  { shape: /^select t\.workspace_id, .* as owner, t\.\w+ as value/, because: 'secrets are sealed again' },
  { shape: /deleted_at is not null and \w+\.deleted_at <= \$\d/, because: 'deleted records are removed for good' },
  {
    shape: /^delete from \w+ where (\w+\.state = \$\d and )?\w+\.(expires_at|ends_at|created_at) < \$\d$/,
    because: 'rows expire',
  },
  { shape: /^delete from \w+ where \(\w+\.state = \$\d and \w+\.created_at < \$\d\)$/, because: 'drafts expire' },
  { shape: /\b\w+\.(leaves_at|started_at|next_fetch_at|purge_at|next_at) <= \$\d/, because: 'work falls due' },
  {
    shape: /\bunnest\(\$\d+::uuid\[\][^)]*\) as \w+ \(workspace_id\b|\bas place (?:\(id\b|cross join lateral\b)/,
    because: 'work for several workspaces names all of them',
  },
  { shape: /^select place\.id as workspaceid, place\.days/, because: 'the purge asks each workspace what is due' },
  { shape: /^update \w+ k set told_expires_at/, because: 'credentials expire soon' },
  {
    shape: /^select distinct coalesce\(e\.timezone, w\.timezone\) as zone from notification_mails/,
    because: 'the digest of each zone is due at its own time',
  },
  { shape: /^select distinct .*timezone from \w+ where/, because: 'names of time zones are healed' },
  { shape: /\bfrom proposals where state = /, because: 'a gauge counts what waits for people' },
  { shape: /\bfrom audit_chains where \(audit_chains\.seq > \$\d/, because: 'chains wait for their signature' },
  {
    shape: /^select distinct workspace_id as id from audit_log where hash is null/,
    because: 'entries wait for their hash',
  },
  { shape: /\.revision <> calendar_subscriptions\.read_revision or /, because: 'calendars wait to be read' },
  {
    shape: /\bfrom bookings where \(bookings\.status = \$\d and bookings\.created_at < \$\d\)/,
    because: 'holds run out',
  },
]

/**
 * Returns the shapes of the statements that the deployables have sent, where the server keeps them (pg_stat_statements).
 * @param isEveryDatabase whether to return those of other databases of the server too, and of dropped ones
 */
export async function readStatements(
  pool: Pick<Pool, 'query'>,
  { isEveryDatabase = false }: { readonly isEveryDatabase?: boolean } = {},
): Promise<readonly RecordedStatement[]> {
  const { rows: kept } = await pool.query<{ isKept: boolean }>(
    `SELECT to_regclass('pg_stat_statements') IS NOT NULL AS "isKept"`,
  )
  if (kept[0]?.isKept !== true) return []
  const { rows } = await pool.query<RecordedStatement>(
    `SELECT DISTINCT r.rolname AS role, s.query AS text FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
     WHERE r.rolname = ANY ($1::text[])
       AND ($2 OR s.dbid = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))
     ORDER BY 1, 2`,
    [allRoles, isEveryDatabase],
  )
  return rows
}

/**
 * Returns the statements of requests that look for rows without naming their workspace: such a statement would go to every machine, and
 * shows records of other workspaces once one of its other conditions is wrong.
 */
export function unboundStatements(statements: readonly RecordedStatement[]): readonly UnboundStatement[] {
  return statements.flatMap((statement) => {
    const text = plain(statement.text)
    if (!requestRoles.includes(statement.role) || acrossWorkspaces.some(({ shape }) => shape.test(text))) return []
    const table = unboundTable(text)
    return table === undefined ? [] : [{ ...statement, table }]
  })
}

/** Returns the statements that a distributed database refuses for their form, whatever workspace they name; each form of a table once. */
export function refusedStatements(statements: readonly RecordedStatement[]): readonly RefusedStatement[] {
  const found = statements.flatMap((statement) =>
    levelsOf(plain(statement.text)).flatMap((level): RefusedStatement[] => {
      const form = refusedForm(level)
      const table = tablesIn(level).find((used) => ofWorkspaces.has(used.table))?.table
      if (!form || table === undefined) return []
      return [{ ...statement, table, because: form.because }]
    }),
  )
  return [...new Map(found.map((one) => [`${one.table} ${one.because}`, one])).values()]
}

/** Leaves out of a statement everything that does not change its meaning. */
function plain(text: string): string {
  return text
    .replaceAll(/--[^\n]*|\/\*.*?\*\//gs, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

const ofWorkspaces: ReadonlySet<string> = new Set(
  Object.values(schema).flatMap((table) =>
    is(table, PgTable) && 'workspaceId' in getTableColumns(table) && getTableName(table) !== 'workspace_hosts'
      ? [getTableName(table)]
      : [],
  ),
)

/** Returns the first table of a statement whose workspace is not named. */
function unboundTable(text: string): string | undefined {
  const levels = levelsOf(text).map((level) => ({
    level,
    used: tablesIn(level).filter(({ table }) => ofWorkspaces.has(table)),
  }))
  const unbound = levels.flatMap(({ level, used }) => unboundIn(level, used))[0]
  if (unbound !== undefined) return unbound
  return namesWorkspace(text) ? undefined : levels.flatMap(({ used }) => used)[0]?.table
}

/**
 * Returns the tables of a level whose workspace is compared neither with something outside it, such as a parameter, nor with a table
 * beside it that is; or whose workspace is compared with itself, which is true for every row.
 */
function unboundIn(level: StatementLevel, used: readonly UsedTable[]): readonly string[] {
  const read = used.filter(({ verb }) => verb !== 'insert into')
  const comparisons = comparisonsOf(
    'workspace_id',
    level,
    read.map(({ name }) => name),
  )
  const bound = new Set(comparisons.flatMap(([name, other]) => (other === null ? [name] : [])))
  for (const _each of read)
    for (const [name, other] of comparisons) if (other !== null && bound.has(other)) bound.add(name)
  const isOpen = ({ verb, table, name }: UsedTable): boolean =>
    verb === 'insert into'
      ? !isInserted(level, table)
      : !bound.has(name) || comparisons.some(([one, other]) => one === name && other === name)
  return used.filter(isOpen).map(({ table }) => table)
}

function isInserted(text: string, table: string): boolean {
  return new RegExp(String.raw`insert into ${table}(?: as \w+)? \([^)]*\bworkspace_id\b`).test(text)
}

/** Whether a statement is given a workspace at all: as a condition, as a value of a new row, or as the row of a workspace. */
function namesWorkspace(text: string): boolean {
  return /workspace_id (?:=|in) (?:any )?\(?(?:select )?\$\d|\$\d+(?:::uuid)? = (?:\w+\.)?workspace_id|\([^()]*\bworkspace_id\b[^()]*\) (?:values|select|overriding)|\bworkspaces\b.* (?:\w+\.)?id = \$\d/.test(
    text,
  )
}
