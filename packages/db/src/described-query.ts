import { Query, type QueryResult } from 'pg'

/** The columns of an answer as the driver keeps them, with what turns each into a value. */
interface Description {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface DriverResult extends Description {
  addFields(fields: unknown): void
}

type Callback = (error: unknown, result: QueryResult) => void

/** A statement as the driver takes it, under the name by which it is prepared. */
export interface StatementConfig {
  readonly text?: string | undefined
  readonly name?: string | undefined
  readonly values?: unknown[] | undefined
  readonly types?: unknown
  readonly rowMode?: unknown
}

/** The parts of the driver's query that its types leave out. */
interface DriverQuery {
  name?: string | undefined
  types?: unknown
  values?: unknown[] | undefined
  _rowMode?: unknown
  _accumulateRows?: unknown
  _result: DriverResult
  _results: DriverResult
  callback?: Callback | undefined
  prepare(connection: object): void
  handleRowDescription(message: unknown): void
}

const DriverQuery = Query as unknown as new (text: string | undefined) => DriverQuery

interface Known extends Description {
  readonly types: unknown
}

const knownOn = new WeakMap<object, Map<string, Known>>()
const silent = new WeakMap<object, object>()

/**
 * A query that has its answer described only the first time on each connection. The columns of a prepared statement never
 * change, PostgreSQL refuses to run it instead; and the description of a wide row is larger than the row.
 */
export class DescribedQuery extends DriverQuery {
  #connection: object | undefined

  /** The driver is given the text alone: an object it would copy property by property, which takes longer than all else it does here. */
  constructor({ text, name, values, types, rowMode }: StatementConfig, callback?: Callback) {
    super(text)
    this.name = name
    this.values = values
    this.callback = callback
    if (types === undefined && rowMode === undefined) return
    this.types = types
    this._rowMode = rowMode
    const Result = this._result.constructor as new (rowMode: unknown, types: unknown) => DriverResult
    this._results = this._result = new Result(rowMode, types)
  }

  override prepare(connection: object): void {
    this.#connection = connection
    const known = this.name === undefined ? undefined : knownOn.get(connection)?.get(this.name)
    if (known) this.#recall(known)
    super.prepare(known ? withoutDescribe(connection) : connection)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    if (this.name === undefined || !this.#connection) return
    const known = knownOn.get(this.#connection) ?? new Map<string, Known>()
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    knownOn.set(this.#connection, known.set(this.name, { types: this.types, fields, _parsers, _prebuiltEmptyResultObject }))
  }

  #recall({ types, fields, _parsers, _prebuiltEmptyResultObject }: Known): void {
    this._accumulateRows = true
    if (types === this.types) Object.assign(this._result, { fields, _parsers, _prebuiltEmptyResultObject })
    else this._result.addFields(fields)
  }
}

/** The same connection for a query that needs no description. */
function withoutDescribe(connection: object): object {
  const made = silent.get(connection) ?? (Object.create(connection, { describe: { value: () => undefined } }) as object)
  silent.set(connection, made)
  return made
}
