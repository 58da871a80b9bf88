import type { MatchField, TransferredEntity } from '@crm/contract'
import { recordChange, systemScope, type FieldChange, type Scope, type Transaction } from '@crm/db'
import { ApiError, isRefusal } from '@crm/errors'
import { toIssues } from '@crm/http'
import { sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { recallOwnedFacts } from '../../records/owned/facts.ts'
import type { OwnedRow } from '../../records/owned/kind.ts'
import { existing } from '../../records/owned/list.ts'
import { hideRecords, lockRecords } from '../../records/owned/repository.ts'
import { joinTraces, leaveTrace, traceDeleted, type Trace, type TraceContext } from '../../records/owned/trace.ts'
import { applyChange } from '../../records/owned/write.ts'
import type { ImportRow, RowOutcome, StagedRow } from './imports.repository.ts'
import { bodyOf, cellFields, reasonOf } from './transfers.cells.ts'
import { matchColumn, transferredKinds, type Transferred } from './transfers.kinds.ts'

/** A row that is ready to become a record. */
interface Ready {
  readonly line: number
  readonly body: Record<string, unknown>
  /** The value by which duplicates of the row are found, regardless of case. */
  readonly key: string | null
}

type Imported = Ready | RowOutcome

/** The context of the import's employee, which collects the traces of one step. */
type Importing = CrmContext & Pick<TraceContext, 'collected'>

/** Imports some rows of a file and returns the outcome of each; the history and events of many rows are written together. */
export async function importRows(
  tx: Transaction,
  context: CrmContext,
  job: ImportRow,
  rows: readonly StagedRow[],
): Promise<RowOutcome[]> {
  const { options } = job
  if (!options) throw new Error('The import has no options')
  const kind = transferredKinds[options.entityType as TransferredEntity]
  const { customFields } = await recallOwnedFacts(tx, context, kind.writer.kind, context.caller.employee.id)
  const fields = cellFields(kind.input, customFields)
  const outcomes: RowOutcome[] = []
  for (let from = 0; from < rows.length; from += tracedTogether) {
    const read = rows.slice(from, from + tracedTogether).map((row) => readRow(row, job, kind, fields))
    outcomes.push(
      ...read.filter((row) => 'outcome' in row),
      ...(await writeTraced(
        tx,
        context,
        job,
        kind,
        read.filter((row) => 'body' in row),
      )),
    )
  }
  return outcomes
}

/** The number of records whose history is written at once: enough to save round trips, and small enough for memory. */
const tracedTogether = 250

async function writeTraced(
  tx: Transaction,
  context: CrmContext,
  job: ImportRow,
  kind: Transferred,
  rows: readonly Ready[],
): Promise<RowOutcome[]> {
  const collected: Trace[] = []
  const outcomes: RowOutcome[] = []
  // Rows that could be duplicates of each other are not written in the same batch.
  for (const some of withoutTwins(rows))
    outcomes.push(...(await writeRows(tx, { ...context, collected }, job, kind, some)))
  await recordChange(tx, {
    workspaceId: context.workspace.id,
    actor: context.actor,
    at: context.at,
    groupId: context.groupId,
    ...joinTraces(collected),
  })
  return outcomes
}

function readRow(
  { line, cells, outcome, reason }: StagedRow,
  { header, options }: ImportRow,
  { input }: Transferred,
  fields: ReturnType<typeof cellFields>,
): Imported {
  if (outcome === 'FAILED') return { line, outcome, reason: reason ?? undefined }
  const body = bodyOf(cells, header, options?.mapping ?? {}, fields)
  const parsed = input.safeParse(body)
  if (!parsed.success) return { line, outcome: 'FAILED', reason: reasonOf(toIssues(parsed.error)) }
  const value = parsed.data[options?.matchBy ?? 'email']
  return { line, body: parsed.data, key: typeof value === 'string' ? value : null }
}

function withoutTwins(rows: readonly Ready[]): Ready[][] {
  const goes: Ready[][] = []
  const seen = new Set<string>()
  for (const row of rows) {
    const key = row.key?.toLowerCase()
    if (goes.length === 0 || (key !== undefined && seen.has(key))) {
      goes.push([])
      seen.clear()
    }
    goes.at(-1)?.push(row)
    if (key !== undefined) seen.add(key)
  }
  return goes
}

async function writeRows(
  tx: Transaction,
  context: Importing,
  job: ImportRow,
  kind: Transferred,
  rows: readonly Ready[],
): Promise<RowOutcome[]> {
  const { onDuplicate = 'SKIP', matchBy = 'email' } = job.options ?? {}
  const { entityType } = kind.writer.kind
  const scope = onDuplicate === 'CREATE' ? null : context.scopeIfAllowed(entityType)
  const known = await findByKey(tx, kind, matchBy, scope, rows)
  // A row that the database would refuse must not be tried: its error would fail the whole step.
  const taken = kind.takenCode
    ? await findByKey(tx, kind, matchBy, systemScope(context.workspace.id), rows)
    : new Map<string, string>()
  const write = (row: Ready): Promise<RowOutcome> => {
    const recordId = row.key === null ? undefined : known.get(row.key)
    if (!recordId && kind.takenCode && taken.has(row.key ?? ''))
      return Promise.resolve(failed(row.line, new ApiError(kind.takenCode)))
    if (!recordId) return createOne(tx, context, kind, row)
    return onDuplicate === 'UPDATE'
      ? updateOne(tx, context, kind, without(matchBy, row), recordId)
      : Promise.resolve({ line: row.line, outcome: 'SKIPPED', recordId })
  }
  const outcomes: RowOutcome[] = []
  for (const row of rows) outcomes.push(await write(row))
  return outcomes
}

/** Removes the field by which two records match from a row: the stored spelling stays. */
function without(matchBy: string, { body, ...row }: Ready): Ready {
  return { ...row, body: Object.fromEntries(Object.entries(body).filter(([field]) => field !== matchBy)) }
}

/** Finds the records within a scope with the match values of rows, the oldest of several, by the spelling of the row. */
async function findByKey(
  tx: Transaction,
  kind: Transferred,
  matchBy: MatchField,
  scope: Scope | null,
  rows: readonly Ready[],
): Promise<Map<string, string>> {
  const column = matchColumn(kind, matchBy)
  const keys = [...new Set(rows.flatMap(({ key }) => key ?? []))]
  const { kind: record } = kind.writer
  const { table } = record
  if (!column || !scope || keys.length === 0) return new Map()
  const isSame = matchBy === 'phone' ? sql`${column} = asked.key` : sql`lower(${column}) = lower(asked.key)`
  const found = await tx.execute<{ key: string; id: string }>(sql`
    SELECT asked.key, (array_agg(${table.id} ORDER BY ${table.createdAt}))[1] AS id
    FROM unnest(${sql.param(keys)}::text[]) asked(key) JOIN ${table} ON ${isSame} WHERE ${existing(record, scope)} GROUP BY 1`)
  return new Map(found.rows.map(({ key, id }) => [key, id]))
}

async function createOne(
  tx: Transaction,
  context: Importing,
  kind: Transferred,
  { line, body }: Ready,
): Promise<RowOutcome> {
  try {
    const row = await kind.create(tx, context, body)
    return { line, outcome: 'CREATED', recordId: row.id }
  } catch (error) {
    return failed(line, error)
  }
}

async function updateOne(
  tx: Transaction,
  context: Importing,
  kind: Transferred,
  { line, body }: Ready,
  recordId: string,
): Promise<RowOutcome> {
  const { writer } = kind
  try {
    const scope = context.scope(writer.kind.entityType, 'UPDATE')
    const current = (await lockRecords(tx, writer.kind, scope, [recordId])).get(recordId)
    if (!current)
      return { line, outcome: 'FAILED', reason: `You may not change the ${writer.kind.noun} that is there already` }
    const { row, trace } = await applyChange(tx, context, writer, current, body)
    await leaveTrace(tx, context, writer.kind, trace)
    return { line, outcome: 'UPDATED', recordId, changes: differences(current, row, Object.keys(body)) }
  } catch (error) {
    return failed(line, error)
  }
}

function differences(before: OwnedRow, after: OwnedRow, fields: readonly string[]): FieldChange[] {
  const valueOf = (row: OwnedRow, field: string): unknown => row[field as keyof OwnedRow] ?? null
  return fields.flatMap((field) => {
    const [from, to] = [valueOf(before, field), valueOf(after, field)]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }]
  })
}

/** Returns the outcome of a failed row. A refusal belongs to the row; any other error fails the whole step. */
function failed(line: number, error: unknown): RowOutcome {
  if (!isRefusal(error)) throw error
  const issues = error instanceof ApiError ? error.extras.issues : undefined
  const details = error instanceof ApiError ? error.extras.details : undefined
  const field = typeof details?.['field'] === 'string' ? `${details['field']}: ` : ''
  return { line, outcome: 'FAILED', reason: issues ? reasonOf(issues) : `${field}${error.message}` }
}

/** Reverts the records of some rows, where nobody has changed them since; returns their number. */
export async function revertRows(
  tx: Transaction,
  context: CrmContext,
  job: ImportRow,
  rows: readonly StagedRow[],
  automation: 'SILENT' | 'RUN' = 'RUN',
): Promise<number> {
  const { writer } = transferredKinds[(job.options?.entityType ?? job.entityType) as TransferredEntity]
  const { kind } = writer
  // People may revert their own imports even where they may not delete; the imports of other people need the right.
  const isOwn = job.employeeId === context.caller.employee.id
  const scope = context.scope(kind.entityType, isOwn ? 'VIEW' : 'DELETE')
  const locked = await lockRecords(
    tx,
    kind,
    scope,
    rows.flatMap(({ recordId }) => recordId ?? []),
  )
  const traces: Trace[] = []
  const gone: OwnedRow[] = []
  let reverted = 0
  for (const { outcome, recordId, changes } of rows) {
    const current = recordId ? locked.get(recordId) : undefined
    if (!current) continue
    if (outcome === 'CREATED' && current.version === 1) gone.push(current)
    if (
      outcome === 'UPDATED' &&
      (isOwn || context.caller.effective.has(`UPDATE_${kind.entityType}`)) &&
      (await restore(tx, context, current, changes ?? [], writer, traces))
    )
      reverted += 1
  }
  const deletable = await withoutKept(tx, context, writer, gone)
  if (deletable.length > 0)
    await hideRecords(
      tx,
      kind,
      context.workspace.id,
      deletable.map(({ id }) => id),
      context.at,
    )
  const trace = joinTraces([...traces, ...deletable.map((row) => traceDeleted(kind, row))])
  // What nobody was told of comes and goes in silence.
  await leaveTrace(tx, context, kind, automation === 'SILENT' ? { timeline: trace.timeline, events: [] } : trace)
  return reverted + deletable.length
}

/** Removes records that may not be deleted any more, because other records were linked to them since. */
async function withoutKept(
  tx: Transaction,
  context: CrmContext,
  { beforeDelete }: Transferred['writer'],
  rows: readonly OwnedRow[],
): Promise<readonly OwnedRow[]> {
  if (!beforeDelete || rows.length === 0 || (await isAllowed(beforeDelete(tx, context, rows)))) return rows
  const deletable: OwnedRow[] = []
  for (const row of rows) if (await isAllowed(beforeDelete(tx, context, [row]))) deletable.push(row)
  return deletable
}

async function isAllowed(check: Promise<unknown>): Promise<boolean> {
  try {
    await check
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    return false
  }
}

async function restore(
  tx: Transaction,
  context: CrmContext,
  current: OwnedRow,
  changes: readonly FieldChange[],
  writer: Transferred['writer'],
  traces: Trace[],
): Promise<boolean> {
  const stillThere = changes.filter(
    ({ field, to }) => JSON.stringify(current[field as keyof OwnedRow] ?? null) === JSON.stringify(to),
  )
  if (stillThere.length === 0) return false
  const patch = Object.fromEntries(stillThere.map(({ field, from }) => [field, from]))
  // The earlier values may be gone by now; then the record stays as it is.
  return isAllowed(applyChange(tx, context, writer, current, patch).then(({ trace }) => traces.push(trace)))
}
