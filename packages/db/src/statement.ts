import { is, Param, Placeholder, sql, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { AccessLevel } from '@crm/permissions'
import { types, type CustomTypesConfig, type QueryResultRow } from 'pg'
import { authorizeScope, departmentsOf, type Scope } from './scope.ts'
import { clientOf, type Executor } from './transaction.ts'

/** A query whose text is built once, for queries that run so often that building them would cost more than running them. */
export interface Statement {
  readonly text: string
  /** The text before, between and behind the parameters. */
  readonly pieces: readonly SQL[]
  /** A value for each parameter: the name under which `run` receives it, or a constant. */
  readonly parameters: readonly Parameter[]
}

type Parameter = { readonly name: string } | { readonly value: unknown }

/** Returns a placeholder for a value that is given by this name when a statement runs. */
export const given = (name: string): Placeholder => sql.placeholder(name)

const dialect = new PgDialect()

/** Builds a query in which `given` stands for values that differ from run to run. */
export function statement(query: SQL): Statement {
  const { sql: text, params } = dialect.sqlToQuery(query)
  return { text, pieces: text.split(/\$\d+/).map((piece) => sql.raw(piece)), parameters: params.map(toParameter) }
}

function toParameter(param: unknown): Parameter {
  const value = is(param, Param) ? param.value : param
  return is(value, Placeholder) ? { name: value.name } : { value }
}

/** Builds a query over records within a scope, once for each level of access. */
export function scopedStatement(build: (scope: Scope) => SQL): (level: AccessLevel) => Statement {
  // Bounded: one for each level of access.
  const built = new Map<AccessLevel, Statement>()
  return (level) => {
    const known = built.get(level) ?? statement(build(placeholderScope(level)))
    built.set(level, known)
    return known
  }
}

/** Returns a scope whose facts are given by name; its predicate has the same text for every scope of the level. */
function placeholderScope(level: AccessLevel): Scope {
  const text = (name: string): string => given(name) as unknown as string
  return authorizeScope({
    workspaceId: text('workspaceId'),
    level: level === 'DEPARTMENT' ? 'DEPARTMENT_TREE' : level,
    employeeId: text('employeeId'),
    departmentId: null,
    departmentTreeIds: text('departmentIds') as unknown as readonly string[],
  })
}

/** Runs a statement with values by name. */
export async function run<Row extends QueryResultRow>(
  db: Executor,
  { pieces, parameters }: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const given = filled(parameters, values).map((value) => sql.param(value))
  const query = sql.join(pieces.flatMap((piece, at) => [piece, ...given.slice(at, at + 1)]))
  return (await db.execute<Row>(query)).rows as Row[]
}

/** Runs a statement and reads its values by these types. */
export async function query<Row extends QueryResultRow>(
  db: Executor,
  { text, parameters }: Statement,
  values: Readonly<Record<string, unknown>>,
  types: CustomTypesConfig,
): Promise<Row[]> {
  return (await clientOf(db).query<Row>({ text, values: filled(parameters, values), types })).rows
}

function filled(parameters: readonly Parameter[], values: Readonly<Record<string, unknown>>): unknown[] {
  return parameters.map((parameter) => ('name' in parameter ? values[parameter.name] : parameter.value))
}

/** Runs a scoped statement within a scope. */
export function runScoped<Row extends QueryResultRow>(
  db: Executor,
  scoped: (level: AccessLevel) => Statement,
  scope: Scope,
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  return run<Row>(db, scoped(scope.level), { ...values, ...valuesOf(scope) })
}

/** Returns the values of a scope for a scoped statement. */
export function valuesOf(scope: Scope): Readonly<Record<string, unknown>> {
  const { workspaceId, employeeId } = scope
  return { workspaceId, employeeId, departmentIds: departmentsOf(scope) }
}

const { builtins, getTypeParser } = types
const times: readonly number[] = [builtins.TIMESTAMPTZ, builtins.TIMESTAMP, builtins.DATE, builtins.INTERVAL]

/** Leaves times as text, as the query builder does. */
export const typesOfTheBuilder: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    times.includes(oid) ? (text: string) => text : getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
}
