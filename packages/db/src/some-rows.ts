import type { SQL } from 'drizzle-orm'
import type { CustomTypesConfig, QueryResultRow } from 'pg'
import { query, statement, typesOfTheBuilder, type Statement } from './statement.ts'
import type { Executor } from './transaction.ts'

/** A row that was not kept: its id and its size. */
export interface LaterRow {
  readonly id: string
  /** Characters of all its values together. */
  readonly size: number
}

/** The first rows of an answer, and the rows to read later. */
export interface SomeRows<Row> {
  readonly rows: Row[]
  readonly later: readonly LaterRow[]
}

/**
 * Runs a query and keeps its rows until they hold the given number of characters; the first row is always kept. The memory is thus
 * bounded, whatever the rows hold.
 *
 * @param asked the query; its first column is the row's id
 */
export async function someRows<Row extends QueryResultRow>(
  db: Executor,
  asked: SQL | Statement,
  values: Readonly<Record<string, unknown>>,
  sizeMax: number,
): Promise<SomeRows<Row>> {
  const meter = new RowMeter(sizeMax)
  const rows = await query<Row>(db, 'text' in asked ? asked : statement(asked), values, meter.types)
  return { rows: rows.slice(0, meter.kept), later: meter.rows.slice(meter.kept) }
}

/** Measures the values of rows as they arrive, and drops the values of rows beyond the limit. */
class RowMeter {
  readonly rows: { readonly id: string; size: number }[] = []
  /** Types that measure the values they read; the first column of a row starts a new count. */
  readonly types: CustomTypesConfig
  readonly #sizeMax: number
  #size = 0
  /** The number of kept rows; undefined as long as all are kept. */
  #kept: number | undefined

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax
    let isFirst = true
    this.types = {
      getTypeParser: ((oid: number, format?: 'text') => {
        const parse = typesOfTheBuilder.getTypeParser(oid, format) as (text: string) => unknown
        const begins = isFirst
        isFirst = false
        return (text: string) => (this.#fits(text, begins) ? parse(text) : null)
      }) as CustomTypesConfig['getTypeParser'],
    }
  }

  get kept(): number {
    return this.#kept ?? this.rows.length
  }

  #fits(text: string, begins: boolean): boolean {
    if (begins) this.rows.push({ id: text, size: 0 })
    const row = this.rows.at(-1)
    if (row) row.size += text.length
    this.#size += text.length
    if (this.#size > this.#sizeMax && this.rows.length > 1) this.#kept ??= this.rows.length - 1
    return this.#kept === undefined
  }
}
