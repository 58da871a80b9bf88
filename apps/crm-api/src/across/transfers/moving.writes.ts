import type { MigrationMatch } from '@crm/contract'
import {
  brokenConstraint,
  inSavepoint,
  isSameValue,
  isUnavailable,
  recordChange,
  sqlState,
  systemScope,
  type RowProblem,
  type Transaction,
} from '@crm/db'
import { ApiError, isRefusal, sentenceOfProblem, type CellProblemCode } from '@crm/errors'
import { toIssues } from '@crm/http'
import { kindOf, type Target } from '@crm/model'
import type * as tables from '@crm/tables'
import { sql } from 'drizzle-orm'
import { findNamed } from '../../domain/summaries/names.ts'
import { allLinks } from '../../kinds/record-links.ts'
import type { CrmContext } from '../../platform/context.ts'
import { foldTexts } from '../../records/folding.ts'
import type { OwnedRow } from '../../records/owned/kind.ts'
import { lockRecords } from '../../records/owned/repository.ts'
import { joinTraces, leaveTrace, type Trace, type TraceContext } from '../../records/owned/trace.ts'
import { applyChange, type Past } from '../../records/owned/write.ts'
import { rehearsed } from '../../records/rehearsal.ts'
import type { RowOutcome, StagedRow } from './imports.repository.ts'
import {
  findEarlierRows,
  findMatches,
  findRecordsNamed,
  findSurvivors,
  keepKeys,
  type RowKey,
  type Search,
} from './moving.finds.ts'
import { namedInLines, readLines, withLines, type Lines, type PartFile } from './moving.parts.ts'
import { convertRow, namedIn, type ConvertedRow, type Find, type RowPlan } from './moving.rows.ts'
import { transferredKinds, type Transferred } from './transfers.kinds.ts'

/** What rows are written with. */
export interface Writing {
  readonly context: CrmContext
  readonly plan: RowPlan
  readonly search: Search
  readonly fileId: string
  /** The files that have lines of these records. */
  readonly parts: readonly PartFile[]
  readonly matchBy: readonly MigrationMatch[]
  readonly onDuplicate: 'SKIP' | 'UPDATE' | 'CREATE'
  readonly automation: 'SILENT' | 'RUN'
  /** Whether everything is tried and nothing written. */
  readonly isTrial: boolean
  /** Takes records that were made because a cell named them. */
  readonly keepMade: (tx: Transaction, entityType: string, ids: readonly string[]) => Promise<void>
}

/** A row that was checked by the rules of its kind. */
interface Ready extends ConvertedRow {
  readonly input: Record<string, unknown>
  /** The records that its cells name, which were found within sight. */
  readonly seen: ReadonlySet<string>
  /** The record that an earlier start of the same import made of it. */
  readonly knownId: string | null
}

/** The outcomes of some rows, and how many records of each kind were made besides. */
export interface Written {
  readonly outcomes: readonly RowOutcome[]
  readonly made: ReadonlyMap<string, number>
}

/** So many records have their history written at once: enough to save round trips, and small enough for memory. */
const writtenTogether = 250

/** Writes rows of a file, or tries to; every row has an outcome, and a row that is refused leaves the others as they are. */
export async function writeRows(tx: Transaction, writing: Writing, rows: readonly StagedRow[]): Promise<Written> {
  const reader = await import('@crm/tables')
  const outcomes: RowOutcome[] = []
  const made = new Map<string, number>()
  for (let from = 0; from < rows.length; from += writtenTogether) {
    const some = rows.slice(from, from + writtenTogether)
    const converted = await convertRows(tx, writing, some, reader, made)
    const ready = converted.filter((row): row is Ready => 'input' in row)
    outcomes.push(...converted.filter((row): row is RowOutcome => !('input' in row)))
    // Rows that could be one record are not written together.
    for (const group of withoutTwins(ready, writing)) outcomes.push(...(await writeGroup(tx, writing, group)))
  }
  return { outcomes, made }
}

type Reader = typeof tables

async function convertRows(
  tx: Transaction,
  writing: Writing,
  rows: readonly StagedRow[],
  reader: Reader,
  made: Map<string, number>,
): Promise<(Ready | RowOutcome)[]> {
  const { plan } = writing
  const readable = rows.filter(({ problems, outcome }) => !isUnreadable(problems, outcome))
  const lines = await linesOf(tx, writing, readable)
  const found = await findAll(tx, writing, readable, lines, reader)
  const find: Find = (target, text) => found.get(target)?.get(text) ?? []
  const converted = readable.map((row) =>
    [...lines].reduce(
      (whole, [file, ofFile]) => withLines(whole, file, ofFile, find, reader),
      convertRow(row, plan, find, reader),
    ),
  )
  const wanted = await makeWanted(tx, writing, converted, made)
  const seen = new Set([...found.values()].flatMap((ofTarget) => [...ofTarget.values()].flat()))
  const byLine = new Map(converted.map((row) => [row.line, withWanted(row, wanted)]))
  return rows.map((row) => {
    const known = byLine.get(row.line)
    return known
      ? checked(known, writing, row.recordId, seen)
      : { line: row.line, outcome: 'FAILED' as const, problems: row.problems, reason: row.reason ?? undefined }
  })
}

/** The codes of rows that were refused when the file was read. */
const unreadableCodes: readonly string[] = ['UNREADABLE_ROW', 'MORE_CELLS'] satisfies CellProblemCode[]

function isUnreadable(problems: StagedRow['problems'], outcome: StagedRow['outcome']): boolean {
  return problems ? problems.some(({ code }) => unreadableCodes.includes(code)) : outcome === 'FAILED'
}

/** Reads the lines of some rows, which stand in files of their own, by file. */
async function linesOf(
  tx: Transaction,
  { plan, parts, search: { migration } }: Writing,
  rows: readonly StagedRow[],
): Promise<ReadonlyMap<PartFile, Lines>> {
  const at = plan.columns.find(({ target }) => target.name === 'externalId')?.at
  if (!migration || at === undefined) return new Map()
  const keys = [...new Set(rows.flatMap(({ cells }) => cells[at]?.trim() || []))]
  const read: [PartFile, Lines][] = []
  for (const file of parts) read.push([file, await readLines(tx, file, keys)])
  return new Map(read)
}

async function findAll(
  tx: Transaction,
  { context, plan, search }: Writing,
  rows: readonly StagedRow[],
  lines: ReadonlyMap<PartFile, Lines>,
  reader: Reader,
): Promise<ReadonlyMap<Target, ReadonlyMap<string, readonly string[]>>> {
  const asked = Map.groupBy(
    [
      ...rows.flatMap((row) => namedIn(row, plan, reader)),
      ...[...lines].flatMap(([file, of]) => namedInLines(file, of)),
    ],
    ([target]) => target,
  )
  const found = new Map<Target, ReadonlyMap<string, readonly string[]>>()
  for (const [target, named] of asked) {
    const texts = [...new Set(named.map(([, text]) => text))]
    found.set(
      target,
      kindOf(target)
        ? await findRecordsNamed(tx, context, search, target, texts)
        : await findNamed(tx, context, target, texts, plan.entityType),
    )
  }
  return found
}

/** Makes the records that cells name and that are not there; a trial only counts them. Returns what gives their ids. */
async function makeWanted(
  tx: Transaction,
  writing: Writing,
  rows: readonly ConvertedRow[],
  made: Map<string, number>,
): Promise<(wish: Wish) => string | null> {
  const { context, search, fileId, isTrial } = writing
  const ids = new Map<string, string | null>()
  const folded = await foldTexts(
    tx,
    rows.flatMap(({ wanted }) => wanted.map(({ text }) => text)),
  )
  const keyOf = ({ to, text }: Wish): string => `${to}:${folded.get(text)}`
  for (const { line, outcome, wanted } of rows) {
    if (outcome !== 'READY') continue
    for (const { to, text } of wanted) {
      const key = keyOf({ to, text })
      if (ids.has(key)) continue
      const id = await makeNamed(tx, writing, to, text)
      ids.set(key, id)
      made.set(to, (made.get(to) ?? 0) + 1)
      if (id) await writing.keepMade(tx, to, [id])
      if (search.migration && (id || isTrial))
        await keepKeys(tx, search.migration, to, [
          { importId: fileId, line, keys: [{ by: 'name', text }], recordId: id },
        ])
    }
  }
  context.deps.compaction.noteWrite(context.workspace.id, writing.plan.entityType)
  return (wish) => ids.get(keyOf(wish)) ?? null
}

/** A record that a cell names. */
type Wish = Pick<ConvertedRow['wanted'][number], 'to' | 'text'>

/** Makes a record of a name alone; null where this is only a trial, or where the kind asks for more. */
async function makeNamed(tx: Transaction, writing: Writing, to: Target, text: string): Promise<string | null> {
  const { context, isTrial } = writing
  const kind = transferredKinds[to as keyof typeof transferredKinds] as Transferred | undefined
  if (!kind || !context.caller.effective.has(`CREATE_${to}`)) return null
  const parsed = kind.input.safeParse(bodyOfName(to, text))
  if (!parsed.success) return null
  return rehearsed(isTrial, tx, async (inner) => {
    const collected: Trace[] = []
    const row = await inSavepoint(inner, (savepoint) =>
      kind.create(savepoint, { ...context, collected }, parsed.data),
    ).catch((error: unknown) => {
      if (isUnavailable(error)) throw error
      return null
    })
    await leaveTogether(inner, writing, collected)
    return isTrial ? null : (row?.id ?? null)
  })
}

function bodyOfName(to: string, text: string): object {
  const [first = 'name', last] = kindOf(to)?.title ?? []
  if (last === undefined) return { [first]: text }
  const words = text.split(/\s+/)
  return words.length === 1 ? { [last]: text } : { [first]: words.slice(0, -1).join(' '), [last]: words.at(-1) }
}

function withWanted(row: ConvertedRow, idOf: (wish: Wish) => string | null): ConvertedRow {
  const known = row.wanted.map((wish) => ({ field: wish.field, id: idOf(wish) }))
  const given = known.flatMap(({ field, id }) => (id ? [[field, id] as const] : []))
  return {
    ...row,
    body: { ...row.body, ...Object.fromEntries(given) },
    coming: new Set([...row.coming, ...known.map(({ field }) => field)]),
  }
}

/** Checks a row by the schema of its kind; fields that other rows become, or that are left out, are not missed in a trial. */
function checked(
  row: ConvertedRow,
  { plan, search }: Writing,
  knownId: string | null,
  seen: ReadonlySet<string>,
): Ready | RowOutcome {
  const { line, outcome, problems, body, past, externalId, coming } = row
  if (outcome !== 'READY') return { line, outcome, problems: orNull(problems), ...reasonOf(problems) }
  const { input } = transferredKinds[plan.entityType]
  const parsed = input.safeParse(body)
  const issues = parsed.success ? [] : toIssues(parsed.error).filter(({ path }) => !coming.has(String(path[0])))
  if (issues.length > 0) {
    const all = [...problems, ...issues.map(({ path, message }) => problemOfIssue(path.map(String), message, body))]
    return { line, outcome: 'FAILED', problems: all, ...reasonOf(all) }
  }
  const key = externalId ? { externalSource: search.source, externalId } : {}
  const set = { ...past.set, ...key }
  return {
    ...row,
    knownId,
    seen,
    input: parsed.success ? parsed.data : body,
    past: { ...past, set },
  }
}

function problemOfIssue(path: readonly string[], message: string, body: Readonly<Record<string, unknown>>): RowProblem {
  const field = path.join('.')
  const isMissing = path.length === 1 && body[path[0] ?? ''] === undefined
  return isMissing
    ? { code: 'REQUIRED', values: { field }, at: null, field, isRow: true }
    : { code: 'REFUSED', values: { text: message }, at: null, field: field || null, isRow: true }
}

const orNull = (problems: readonly RowProblem[]): RowProblem[] | null => (problems.length > 0 ? [...problems] : null)

/** The problems of a row in one line, for the imports of a single file. */
function reasonOf(problems: readonly RowProblem[]): { reason?: string } {
  return problems.length > 0
    ? { reason: problems.map(({ code, values, field }) => sentence(code, values, field)).join('; ') }
    : {}
}

function sentence(code: string, values: RowProblem['values'], field: string | null): string {
  const text = sentenceOfProblem({ code: code as CellProblemCode, values })
  return field ? `${field}: ${text}` : text
}

/** Returns rows in groups, in each of which no two have a key in common. */
function withoutTwins(rows: readonly Ready[], { matchBy }: Writing): Ready[][] {
  const groups: Ready[][] = []
  const seen = new Set<string>()
  for (const row of rows) {
    const keys = row.keys
      .filter(({ by }) => isMatched(by, matchBy))
      .map(({ by, text }) => `${by}:${text.toLowerCase()}`)
    if (groups.length === 0 || keys.some((key) => seen.has(key))) {
      groups.push([])
      seen.clear()
    }
    groups.at(-1)?.push(row)
    for (const key of keys) seen.add(key)
  }
  return groups
}

function isMatched(by: RowKey['by'], matchBy: readonly MigrationMatch[]): boolean {
  return by === 'externalId' || (by !== 'name' && matchBy.includes(by))
}

async function writeGroup(tx: Transaction, writing: Writing, rows: readonly Ready[]): Promise<readonly RowOutcome[]> {
  const matches = await matchAll(tx, writing, rows)
  const outcomes = await rehearsed(writing.isTrial, tx, (inner) => writeApart(inner, writing, rows, matches))
  const { search, plan, fileId } = writing
  if (search.migration) {
    const kept = rows.flatMap(({ line, keys }, at) => {
      const outcome = outcomes[at]
      if (!outcome || outcome.outcome === 'FAILED') return []
      return [
        {
          importId: fileId,
          line,
          keys,
          recordId: (writing.isTrial ? matches.get(line)?.id : outcome.recordId) ?? null,
        },
      ]
    })
    await keepKeys(tx, search.migration, plan.entityType, kept)
  }
  return outcomes
}

/** The record that a row is about: its id, null for one that an earlier row becomes; and by what it was found. */
interface Match {
  readonly id: string | null
  readonly by: MigrationMatch | 'row'
}

/** Returns the records that rows are about, by line. */
async function matchAll(
  tx: Transaction,
  writing: Writing,
  rows: readonly Ready[],
): Promise<ReadonlyMap<number, Match>> {
  const { context, plan, search, onDuplicate, matchBy } = writing
  const { kind } = transferredKinds[plan.entityType].writer
  const scope = context.scopeIfAllowed(plan.entityType) ?? systemScope(context.workspace.id)
  const ways: readonly MigrationMatch[] = [
    'externalId',
    ...(onDuplicate === 'CREATE' ? [] : matchBy.filter((by) => by !== 'externalId')),
  ]
  const earlier = search.migration
    ? await findEarlierRows(
        tx,
        search.migration,
        plan.entityType,
        rows.flatMap(({ keys }) => keys.filter(({ by }) => by !== 'name' && ways.includes(by))),
      )
    : new Map<string, string | null>()
  const matches = new Map<number, Match>()
  const known = await findSurvivors(
    tx,
    kind,
    scope,
    rows.flatMap(({ knownId }) => knownId ?? []),
  )
  for (const { line, knownId } of rows) {
    const id = known.get(knownId ?? '')
    if (id) matches.set(line, { id, by: 'row' })
  }
  for (const by of ways) {
    const texts = rows.flatMap(({ line, keys }) =>
      matches.has(line) ? [] : keys.filter((key) => key.by === by).map(({ text }) => text),
    )
    const there = await findMatches(tx, kind, scope, search.source, by, [...new Set(texts)])
    for (const { line, keys } of rows) {
      const own = matches.has(line) ? [] : keys.filter((key) => key.by === by)
      for (const { text } of own) {
        const id = there.get(text) ?? earlier.get(`${by}:${text}`)
        if (id !== undefined && !matches.has(line)) matches.set(line, { id, by })
      }
    }
  }
  return matches
}

/** Writes rows together; where the database refuses one, in halves, until that one is alone. */
async function writeApart(
  tx: Transaction,
  writing: Writing,
  rows: readonly Ready[],
  matches: ReadonlyMap<number, Match>,
): Promise<readonly RowOutcome[]> {
  try {
    return await inSavepoint(tx, async (inner) => {
      const collected: Trace[] = []
      const context = { ...writing.context, collected }
      const outcomes: RowOutcome[] = []
      for (const row of rows) outcomes.push(await writeOne(inner, writing, context, row, matches.get(row.line)))
      await leaveTogether(inner, writing, collected)
      return outcomes
    })
  } catch (error) {
    if (isUnavailable(error) || !isOfRow(error)) throw error
    const [row] = rows
    if (rows.length === 1 && row) return [failedBy(row, error)]
    const middle = Math.ceil(rows.length / 2)
    return [
      ...(await writeApart(tx, writing, rows.slice(0, middle), matches)),
      ...(await writeApart(tx, writing, rows.slice(middle), matches)),
    ]
  }
}

/** Whether the database refused values: they break a rule, or it cannot hold them. */
function isOfRow(error: unknown): boolean {
  return isRefusal(error) || /^(22|23|54)/.test(sqlState(error) ?? '')
}

/** History and events of many records are written together; a silent import tells nobody of its records. */
async function leaveTogether(
  tx: Transaction,
  { context, automation }: Writing,
  collected: readonly Trace[],
): Promise<void> {
  const { timeline, events } = joinTraces(collected)
  await recordChange(tx, {
    workspaceId: context.workspace.id,
    actor: context.actor,
    at: context.at,
    groupId: context.groupId,
    timeline,
    events: automation === 'SILENT' ? [] : events,
    isSilent: automation === 'SILENT',
  })
}

type Importing = CrmContext & Pick<TraceContext, 'collected'>

async function writeOne(
  tx: Transaction,
  writing: Writing,
  context: Importing,
  row: Ready,
  match: Match | undefined,
): Promise<RowOutcome> {
  const { line, problems } = row
  const besides = { problems: orNull(problems) }
  try {
    if (!match) return { ...(await createOne(tx, writing, context, row)), ...besides }
    const isSame = match.by === 'row' || match.by === 'externalId'
    if (!isSame && writing.onDuplicate !== 'UPDATE')
      return { line, outcome: 'SKIPPED', ...(match.id ? { recordId: match.id } : {}), ...besides }
    if (match.id === null) return { line, outcome: 'UPDATED', ...besides }
    return { ...(await updateOne(tx, writing, context, row, match.id, match.by)), ...besides }
  } catch (error) {
    if (!isRefusal(error) || (await isAborted(tx))) throw error
    return failedBy(row, error)
  }
}

/** Whether a refusal came from the database: nothing more can be done in the transaction then. */
async function isAborted(tx: Transaction): Promise<boolean> {
  try {
    await tx.execute(sql`SELECT 1`)
    return false
  } catch (error) {
    if (sqlState(error) === '25P02') return true
    throw error
  }
}

async function createOne(
  tx: Transaction,
  { plan }: Writing,
  context: Importing,
  { line, input, past, seen }: Ready,
): Promise<RowOutcome> {
  const kind = transferredKinds[plan.entityType]
  const row = await kind.create(tx, { ...context, past, seen }, input)
  return { line, outcome: 'mergedIntoId' in row ? 'MERGED' : 'CREATED', recordId: row.id }
}

async function updateOne(
  tx: Transaction,
  { plan, context: { workspace } }: Writing,
  context: Importing,
  row: Ready,
  recordId: string,
  by: Match['by'],
): Promise<RowOutcome> {
  const { line } = row
  const { writer } = transferredKinds[plan.entityType]
  const scope = context.scope(plan.entityType, 'UPDATE')
  const current = (await lockRecords(tx, writer.kind, scope, [recordId])).get(recordId)
  if (!current) {
    const problem: RowProblem = { code: 'MAY_NOT_CHANGE', values: {}, at: null, field: null, isRow: true }
    return { line, outcome: 'FAILED', problems: [problem], reason: sentence(problem.code, {}, null) }
  }
  const patch = await patchOf(tx, workspace.id, plan.entityType, row, recordId, by)
  const past = pastOf(row.past, current)
  const { row: after, changes, trace } = await applyChange(tx, { ...context, past }, writer, current, patch)
  await leaveTrace(tx, context, writer.kind, trace)
  if (changes.length === 0) return { line, outcome: 'SKIPPED', recordId }
  return {
    line,
    outcome: 'UPDATED',
    recordId,
    version: after.version,
    changes: differences(current, after, [...Object.keys(patch), ...Object.keys(past.set)]),
  }
}

/** What a record was before its program: its key stays that of the first program, and its time is not changed. */
function pastOf({ set }: Past, current: OwnedRow): Past {
  const { externalId, externalSource, ...rest } = set as Record<string, unknown>
  // What comes back from an export of this workspace has the record's own id as its key.
  const hasKey = (current as { readonly externalId?: string | null }).externalId || current.id === externalId
  return { set: hasKey ? rest : { ...rest, ...(externalId === undefined ? {} : { externalId, externalSource }) } }
}

/** The value by which two records match stays as it is stored; links are added to those that are there. */
async function patchOf(
  tx: Transaction,
  workspaceId: string,
  entityType: string,
  { input }: Ready,
  recordId: string,
  by: Match['by'],
): Promise<Record<string, unknown>> {
  const { links, checklist: _checklist, ...fields } = input
  const patch = Object.fromEntries(
    Object.entries(fields).filter(([name]) => name !== by && !(by === 'number' && name === 'sku')),
  )
  if (!Array.isArray(links)) return patch
  const known = await allLinks(tx, workspaceId, { fromType: entityType as 'TASK', fromId: recordId })
  const isNew = (link: { entityId: string }): boolean => !known.some(({ entityId }) => entityId === link.entityId)
  const added = (links as { entityType: string; entityId: string }[]).filter(isNew)
  return added.length > 0 ? { ...patch, links: [...known, ...added] } : patch
}

/**
 * Returns the outcome of a row as a revert needs it, after all starts of its import: a record that it made stays one that it made, and values before
 * its first change stay known.
 */
export function overStarts(before: StagedRow | undefined, outcome: RowOutcome): RowOutcome {
  const isSame = before?.recordId !== null && before?.recordId === outcome.recordId
  if (!before || !isSame || (outcome.outcome !== 'UPDATED' && outcome.outcome !== 'SKIPPED')) return outcome
  if (before.outcome === 'CREATED') {
    const version = outcome.version === undefined ? before.changes : madeVersion(outcome.version)
    return { ...outcome, outcome: 'CREATED', changes: version }
  }
  if (before.outcome !== 'UPDATED') return outcome
  const later = new Map((outcome.changes ?? []).map((change) => [change.field, change]))
  const known = (before.changes ?? []).map(({ field, from, to }) => ({ field, from, to: later.get(field)?.to ?? to }))
  const fresh = [...later.values()].filter(({ field }) => !known.some((change) => change.field === field))
  return { ...outcome, outcome: 'UPDATED', changes: [...known, ...fresh] }
}

/** The version that a record had when the import that made it last changed it. */
function madeVersion(version: number): NonNullable<RowOutcome['changes']> {
  return [{ field: 'version', from: null, to: version }]
}

/** Returns the fields that an update changed, with their values before and after. */
function differences(before: OwnedRow, after: OwnedRow, fields: readonly string[]): NonNullable<RowOutcome['changes']> {
  const valueOf = (row: OwnedRow, field: string): unknown => row[field as keyof OwnedRow] ?? null
  return fields.flatMap((field) => {
    const [from, to] = [valueOf(before, field), valueOf(after, field)]
    return isSameValue(from, to) ? [] : [{ field, from, to }]
  })
}

/** The rules of the database that a row can break, by the end of their names, and the value that breaks them. */
const broken: readonly {
  readonly rule: RegExp
  readonly refusal?: string
  readonly code: CellProblemCode
  readonly field: string
}[] = [
  { rule: /_external_key$/, code: 'KEY_TAKEN', field: 'externalId' },
  { rule: /_sku$/, refusal: 'SKU_TAKEN', code: 'NUMBER_TAKEN', field: 'sku' },
]

/** Returns the outcome of a row that was refused. */
function failedBy({ line, problems, input, externalId }: Ready, error: unknown): RowOutcome {
  const all = [...problems, ...problemsOf(error, { ...input, externalId })]
  return { line, outcome: 'FAILED', problems: all, ...reasonOf(all) }
}

function problemsOf(error: unknown, values: Readonly<Record<string, unknown>>): readonly RowProblem[] {
  const code = error instanceof ApiError ? error.code : undefined
  const rule = broken.find(
    ({ rule: name, refusal: known }) => name.test(brokenConstraint(error) ?? '') || known === code,
  )
  if (rule) {
    const known = values[rule.field]
    const text = typeof known === 'string' ? known : ''
    return [{ code: rule.code, values: { text }, at: null, field: rule.field, isRow: true }]
  }
  const { issues, details } = error instanceof ApiError ? error.extras : {}
  const named = typeof details?.['field'] === 'string' ? details['field'] : null
  if (issues)
    return issues.map(({ path, message }) => ({ ...refusal(message), field: path.map(String).join('.') || null }))
  return [
    { ...refusal(error instanceof ApiError ? error.message : 'The database cannot store this row'), field: named },
  ]
}

const refusal = (text: string): RowProblem => ({
  code: 'REFUSED',
  values: { text },
  at: null,
  field: null,
  isRow: true,
})
