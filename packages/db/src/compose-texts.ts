import { sql } from 'drizzle-orm'
import { changeFound, type FoundRow } from './change-found.ts'
import { inPart, type Part } from './part.ts'
import type { Transaction } from './transaction.ts'

/** A column whose texts are compared as they are stored. */
interface Compared extends Record<string, unknown> {
  readonly table: string
  readonly name: string
  readonly isList: boolean
}

/**
 * Composes (NFC) the tags and the values of custom fields of rows that came in before texts were composed at the door. Names need nothing: they are
 * compared folded, which composes them.
 */
export const composeTexts = {
  name: 'compose-texts',
  step: async (tx: Transaction, limit: number, part: Part): Promise<number> => {
    const { rows: columns } = await tx.execute<Compared>(sql`
      SELECT c.relname AS "table", a.attname AS name, a.atttypid = 'text[]'::regtype AS "isList"
      FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
      WHERE (a.attname = 'tags' AND a.atttypid = 'text[]'::regtype) OR (a.attname = 'custom_fields' AND a.atttypid = 'jsonb'::regtype)
      ORDER BY 1, 2`)
    for (const { table: inTable, name, isList } of columns) {
      const [table, column] = [sql.identifier(inTable), sql.identifier(name)]
      const text = isList ? sql`array_to_string(${column}, ' ')` : sql`${column}::text`
      // Two forms of one tag become one.
      const composed = isList
        ? sql`ARRAY(SELECT normalize(tag, NFC) FROM unnest(${column}) WITH ORDINALITY AS of_row (tag, at) GROUP BY 1 ORDER BY min(at))`
        : sql`normalize(${column}::text, NFC)::jsonb`
      const { rows: apart } = await tx.execute<FoundRow>(sql`
        SELECT workspace_id AS "workspaceId", id FROM ${table}
        WHERE ${inPart(sql`workspace_id`, part)} AND ${text} IS NOT NFC NORMALIZED LIMIT ${limit}`)
      await changeFound(tx, inTable, apart, sql`${column} = ${composed}`)
      if (apart.length > 0) return apart.length
    }
    return 0
  },
}
