import { numberSequences as resource, success, type NumberSequenceInput, type NumberSequencePatch } from '@crm/contract'
import { endingTwin, newId, schema, type Executor, type Transaction, inNameOrder } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { and, asc, count, eq, ne, sql, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { searchCondition } from '../../../records/search-terms.ts'
import { withUniqueFields } from '../../../records/unique.ts'
import { today } from '../../../records/moment.ts'
import { refuseUsed } from '../../../records/uses.ts'
import {
  isSequence,
  lastUsedAround,
  lastUsedIn,
  type SequenceRow,
} from '../../../domain/numbering/number-sequences.drawing.ts'
import {
  nextInPeriod,
  patternProblem,
  periodOf,
  type ResetPeriod,
} from '../../../domain/numbering/number-sequences.pattern.ts'

const { numberPeriods, numberSequences: table } = schema
const uniqueFields = { number_sequences_name: 'name' }

export const implementedNumberSequences = implement(resource, {
  list: async ({ query }, context) => {
    const where = and(
      eq(table.workspaceId, context.workspace.id),
      query.entityType ? eq(table.entityType, query.entityType) : undefined,
      searchCondition(query.search, sql`crm_searchable(${table.name})`),
    )
    const [total] = await context.db.select({ n: count() }).from(table).where(where)
    const rows = await context.db
      .select()
      .from(table)
      .where(where)
      .orderBy(asc(table.entityType), inNameOrder(table.name, context.workspace.locale), asc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf(
      { items: await Array.fromAsync(rows, (row) => toRecord(context.db, context, row)), total: total?.n ?? 0 },
      query,
    )
  },

  get: async ({ params }, context) =>
    success(await toRecord(context.db, context, await requireSequence(context.db, context, params.id))),

  create: ({ body }, context) =>
    context.transact(async (tx) => {
      checkPattern(body.pattern, body.resetPeriod)
      const { workspace, caller, at } = context
      const isDefault = body.isDefault || !(await hasDefault(tx, workspace.id, body.entityType))
      if (isDefault) await takeDefault(tx, workspace.id, body.entityType)
      const row = {
        ...body,
        isDefault,
        workspaceId: workspace.id,
        id: newId(),
        createdById: caller.employee.id,
        createdAt: at,
        updatedAt: at,
      }
      const [made] = await withUniqueFields(uniqueFields, () => tx.insert(table).values(row).returning())
      return success(await finish(tx, context, made, 'created'))
    }),

  update: ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await lockSequence(tx, context, params.id)
      checkPattern(body.pattern ?? current.pattern, body.resetPeriod ?? current.resetPeriod)
      if (body.isDefault === false && current.isDefault)
        throw invalidField('isDefault', 'Make another sequence the default one instead')
      if (body.isDefault) await takeDefault(tx, context.workspace.id, current.entityType, current.id)
      const set = { ...body, ...(await nextValueColumns(tx, context, current, body)), updatedAt: context.at }
      const [changed] = await withUniqueFields(uniqueFields, () =>
        tx.update(table).set(endingTwin(table, set)).where(isSequence(current.workspaceId, current.id)).returning(),
      )
      return success(await finish(tx, context, changed, 'changed'))
    }),

  delete: ({ params }, context) =>
    context.transact(async (tx) => {
      const current = await lockSequence(tx, context, params.id)
      const [used] = await tx
        .select({ n: sql<number>`coalesce(sum(${numberPeriods.lastUsed}), 0)::int` })
        .from(numberPeriods)
        .where(and(eq(numberPeriods.workspaceId, current.workspaceId), eq(numberPeriods.sequenceId, current.id)))
      refuseUsed('sequence', [{ entityType: 'NUMBER', count: used?.n ?? 0 }], 'The sequence has given numbers')
      await tx.delete(table).where(isSequence(current.workspaceId, current.id))
      await finish(tx, context, current, 'deleted')
      return success({ id: current.id })
    }),
})

function checkPattern(pattern: string, resetPeriod: ResetPeriod): void {
  const problem = patternProblem(pattern, resetPeriod)
  if (problem) throw invalidField('pattern', problem)
}

/** Returns the columns for a next value. It holds for the period of today; at or below a used value it would give a number twice. */
async function nextValueColumns(
  tx: Transaction,
  context: CrmContext,
  current: SequenceRow,
  { nextValue, resetPeriod = current.resetPeriod }: NumberSequencePatch,
) {
  if (nextValue === undefined && resetPeriod === current.resetPeriod) return {}
  const period = periodOf(resetPeriod, today(context.at, context.workspace.timezone))
  const lastUsed = await (resetPeriod === current.resetPeriod ? lastUsedIn : lastUsedAround)(tx, current, period)
  if (nextValue !== undefined && nextValue <= (lastUsed ?? 0)) {
    throw new ApiError('NUMBER_IN_USE', { message: `The number ${lastUsed} is used already: the next one is above it` })
  }
  return { period, nextValue: nextValue ?? nextInPeriod(current, period, lastUsed) }
}

async function hasDefault(
  tx: Transaction,
  workspaceId: string,
  entityType: NumberSequenceInput['entityType'],
): Promise<boolean> {
  const rows = await tx.select({ id: table.id }).from(table).where(isDefaultOf(workspaceId, entityType))
  return rows.length > 0
}

async function takeDefault(
  tx: Transaction,
  workspaceId: string,
  entityType: NumberSequenceInput['entityType'],
  exceptId?: string,
): Promise<void> {
  await tx
    .update(table)
    .set({ isDefault: false })
    .where(and(isDefaultOf(workspaceId, entityType), exceptId ? ne(table.id, exceptId) : undefined))
}

function isDefaultOf(workspaceId: string, entityType: NumberSequenceInput['entityType']): SQL {
  return and(eq(table.workspaceId, workspaceId), eq(table.entityType, entityType), eq(table.isDefault, true)) as SQL
}

async function requireSequence(db: Executor, { workspace }: CrmContext, id: string): Promise<SequenceRow> {
  return found(await db.select().from(table).where(isSequence(workspace.id, id)))
}

async function lockSequence(tx: Transaction, { workspace }: CrmContext, id: string): Promise<SequenceRow> {
  return found(await tx.select().from(table).where(isSequence(workspace.id, id)).for('update'))
}

function found([row]: readonly SequenceRow[]): SequenceRow {
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such number sequence' })
  return row
}

async function finish(tx: Transaction, context: CrmContext, row: SequenceRow | undefined, verb: string) {
  if (!row) throw new Error('The number sequence was not written')
  await audit(tx, context, {
    action: `number-sequence.${verb}`,
    subjectType: 'NUMBER_SEQUENCE',
    subjectId: row.id,
    summary: row.name,
    data: { pattern: row.pattern, nextValue: row.nextValue },
  })
  return toRecord(tx, context, row)
}

/** Shows a sequence with the value that a document issued today would get. */
async function toRecord(
  db: Executor,
  context: CrmContext,
  { workspaceId: _workspace, period: _period, ...row }: SequenceRow,
) {
  const period = periodOf(row.resetPeriod, today(context.at, context.workspace.timezone))
  const lastUsed = await lastUsedIn(db, { workspaceId: context.workspace.id, id: row.id }, period)
  return { ...row, nextValue: nextInPeriod({ nextValue: row.nextValue, period: _period }, period, lastUsed) }
}
