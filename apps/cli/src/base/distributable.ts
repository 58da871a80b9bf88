import {
  readStatements,
  referenceTables,
  refusedStatements,
  triggersLeft,
  unboundStatements,
  type UnboundStatement,
} from '@crm/db'
import type { Pool } from 'pg'

/** A reason why the tables cannot be distributed over several machines by workspace. */
export interface Offence {
  readonly table: string
  /** What stands in the way: a column, an index, a constraint, a trigger or the beginning of a statement. */
  readonly part: string
  readonly because: string
}

const tables = `tables AS (
  SELECT c.oid, c.relname AS name, c.relname = ANY ($1::text[]) AS is_reference,
    (SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped) AS key,
    (SELECT a.attnotnull FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped) AS is_key_given
  FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
)`

const offences = [
  `SELECT name AS "table", 'workspace_id' AS part, 'the table has no such column, or it may be null' AS because
   FROM tables WHERE NOT is_reference AND is_key_given IS NOT TRUE`,
  `SELECT t.name, i.indexrelid::regclass::text, 'it is unique over all workspaces'
   FROM tables t JOIN pg_index i ON i.indrelid = t.oid
   WHERE NOT t.is_reference AND i.indisunique AND t.key IS NOT NULL
     AND NOT t.key = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])`,
  `SELECT t.name, k.conname, 'it compares rows of all workspaces'
   FROM pg_constraint k JOIN tables t ON t.oid = k.conrelid
   WHERE k.contype = 'x' AND NOT t.is_reference AND NOT EXISTS (
     SELECT FROM unnest(k.conkey, k.conexclop) AS pair (own, operator) JOIN pg_operator o ON o.oid = pair.operator
     WHERE pair.own = t.key AND o.oprname = '=')`,
  `SELECT f.name, k.conname, CASE WHEN f.is_reference THEN 'it leads from a table that every machine has to a distributed one'
     ELSE 'it does not join workspace_id on both sides' END
   FROM pg_constraint k JOIN tables f ON f.oid = k.conrelid JOIN tables t ON t.oid = k.confrelid
   WHERE k.contype = 'f' AND NOT t.is_reference AND (f.is_reference OR NOT EXISTS (
     SELECT FROM unnest(k.conkey, k.confkey) AS pair (own, other) WHERE pair.own = f.key AND pair.other = t.key))`,
  `SELECT t.name, g.tgname, 'a trigger runs on the machine of its row alone'
   FROM pg_trigger g JOIN tables t ON t.oid = g.tgrelid
   WHERE NOT g.tgisinternal AND NOT t.is_reference AND g.tgname <> ALL ($2::text[])`,
]

const shownOfStatement = 160

/**
 * Returns everything that keeps the schema from being distributed by `workspace_id`, by table. Statements are judged where the server keeps
 * them: those of requests by the workspace that they name, all of them by their form.
 */
export async function findOffences(pool: Pick<Pool, 'query'>): Promise<readonly Offence[]> {
  const { rows } = await pool.query<Offence>(
    `WITH ${tables} ${offences.map((each) => `(${each})`).join(' UNION ALL ')} ORDER BY 1, 2`,
    [referenceTables, triggersLeft],
  )
  const statements = await readStatements(pool)
  const offence = ({ table, role, text }: UnboundStatement, because: string): Offence => ({
    table,
    part: `${role} ${text.replaceAll(/\s+/g, ' ').trim().slice(0, shownOfStatement)}`,
    because,
  })
  return [
    ...rows,
    ...unboundStatements(statements).map((one) =>
      offence(one, 'a statement of a request does not name the workspace of the rows'),
    ),
    ...refusedStatements(statements).map((one) => offence(one, one.because)),
  ]
}

/** Words the outcome for people, a line for each offence. */
export function toldOffences(found: readonly Offence[]): string {
  if (found.length === 0) return 'Every table can be distributed by workspace_id.'
  return found.map(({ table, part, because }) => `${table} ${part}: ${because}`).join('\n')
}
