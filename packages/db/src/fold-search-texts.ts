import { sql } from 'drizzle-orm'
import { changeFound, type FoundRow } from './change-found.ts'
import { inPart, type Part } from './part.ts'
import type { Transaction } from './transaction.ts'

/** The letters that folded text may have: ASCII, and the letters that stand for signs and blanks. Texts of these alone are never stale. */
const plainLetters = '[^ -~āăąćĉċďēĕėęěĝğġģĥĩīĭįĵķĺļľņňōŏš]'

/** A table with a searchable text. */
interface Searched extends Record<string, unknown> {
  readonly name: string
  /** How the text is computed. */
  readonly expression: string
  /** A column that it is computed from. */
  readonly from: string
}

/**
 * Computes searchable texts anew that an earlier folding made. PostgreSQL computes such a column when a column is written that it depends on,
 * so the row is written with what it has.
 */
export const foldSearchTexts = {
  name: 'fold-search-texts',
  step: async (tx: Transaction, limit: number, part: Part): Promise<number> => {
    const { rows: tables } = await tx.execute<Searched>(sql`
      SELECT c.relname AS name, pg_get_expr(d.adbin, d.adrelid) AS expression, min(b.attname) AS "from"
      FROM pg_attrdef d
      JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum AND a.attname = 'search_text' AND a.attgenerated = 's'
      JOIN pg_class c ON c.oid = d.adrelid AND c.relnamespace = 'public'::regnamespace
      JOIN pg_depend p ON p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_class'::regclass AND p.refobjid = d.adrelid
      JOIN pg_attribute b ON b.attrelid = d.adrelid AND b.attnum = p.refobjsubid AND b.attnum <> d.adnum
      GROUP BY 1, 2 ORDER BY 1`)
    for (const { name, expression, from } of tables) {
      const [table, column] = [sql.identifier(name), sql.identifier(from)]
      const { rows: stale } = await tx.execute<FoundRow>(sql`
        SELECT workspace_id AS "workspaceId", id FROM ${table}
        WHERE ${inPart(sql`workspace_id`, part)} AND search_text ~ ${plainLetters} AND search_text IS DISTINCT FROM ${sql.raw(expression)}
        LIMIT ${limit}`)
      await changeFound(tx, name, stale, sql`${column} = ${column}`)
      if (stale.length > 0) return stale.length
    }
    return 0
  },
}
