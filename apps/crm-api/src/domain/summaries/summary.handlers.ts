import {
  recordOperations,
  summaryLimits,
  summaryParams,
  type ConditionGroup,
  type Summarized,
  type Summary,
  type SummaryQuestion,
} from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { ApiError } from '@crm/errors'
import { FairTurns } from '@crm/runtime'
import { and, eq, isNotNull } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { CrmContext } from '../../platform/context.ts'
import { before } from '../../records/before.ts'
import { customFieldsOf } from '../../records/custom-field-filters.ts'
import { momentOf } from '../../records/moment.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { ledgerRowsOf, recordConditions } from '../../records/owned/list.ts'
import { namesCustomFields } from '../../records/owned/structured-filter.ts'
import { summaryAnswer, usedRates, type Labels, type SummaryRow } from './answer.ts'
import { readNames } from './names.ts'
import { readQuestion, type Asked, type AskedDimension } from './question.ts'
import { summaryStatement, type Rates } from './statement.ts'

interface Asking<Query> {
  readonly query: Query
  readonly customFieldFilters: ReadonlyMap<string, string>
}

/** The number of summaries of one workspace that one process computes at once; other summaries wait, and the wait is part of their time. */
const atOnce = 4
const turns = new LRUCache<string, FairTurns>({ max: 2_000 })

/**
 * Returns the handler of the summary of an owned list; `filtersOf` returns the filters of the list, where they need more
 * than the query.
 */
export function summaryHandler<Query extends SummaryQuestion>(
  kind: RecordKind,
  filtersOf: (query: Query, context: CrmContext) => object | Promise<object> = (query) => query,
): { summary(asked: Asking<Query>, context: CrmContext): Promise<Summary> } {
  return {
    summary: async ({ query, customFieldFilters }, context) => {
      const { workspace, at } = context
      const scope = context.scope(kind.entityType)
      const filters = { ...withoutQuestion(await filtersOf(query, context)), timezone: query.filterTimezone } as {
        readonly timezone?: string
        readonly search?: string
        readonly filter?: ConditionGroup
        readonly currency?: unknown
      }
      const namesCustom = [...query.groupBy, ...query.measures].some((word) => word.includes('cf_'))
      const customFields =
        namesCustom || customFieldFilters.size > 0 || namesCustomFields(filters.filter)
          ? await customFieldsOf(context.db, workspace.id, kind)
          : []
      const asked = readQuestion(query, summarizedOf(kind), customFields, filters.currency !== undefined)
      const timezone = query.timezone ?? workspace.timezone
      const rates = asked.convertTo === undefined ? noRates : await readRates(context.db, context)
      const moment = momentOf(context)
      const records = {
        scope,
        kind,
        timezone,
        where: recordConditions(kind, scope, filters, moment, { customFields, customFieldFilters }),
        ledger: ledgerRowsOf(kind, { scope, query: filters, customFieldFilters }),
        moment,
        weekStart: query.weekStart ?? workspace.weekStart,
        currency: workspace.currency,
      }
      const rows = await withinBudget(context, (tx) =>
        tx.execute<SummaryRow>(summaryStatement(records, asked, rates)).then((result) => result.rows),
      )
      const labels = await labelsOf(context, kind, asked, rows)
      const overlapping = asked.dimensions.some(({ type }) => type === 'list')
      return {
        ...summaryAnswer(rows, asked, rates, labels),
        overlapping,
        timezone,
        asOf: at,
        rates: usedRates(rows, asked, rates),
      }
    },
  }
}

const noRates: Rates = new Map()

function withoutQuestion(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !summaryParams.includes(name)))
}

/** Returns the dimensions and measures of a kind of record. */
function summarizedOf({ entityType }: RecordKind): Summarized {
  const summarized = recordOperations(entityType)?.summary?.summarized
  if (!summarized) throw new Error(`${entityType} has no summary`)
  return summarized
}

/** Runs work in its turn and within the time limit of one summary. */
async function withinBudget<T>(context: CrmContext, work: (tx: Executor) => Promise<T>): Promise<T> {
  const { budgetMs } = summaryLimits
  const until = performance.now() + budgetMs
  const { id } = context.workspace
  const line = turns.get(id) ?? new FairTurns({ atOnce, waitingMax: Infinity, waitMsMax: budgetMs })
  turns.set(id, line)
  const endTurn = await line.enter(id)
  try {
    const result = endTurn ? await before(until, context, work) : null
    if (result !== null) return result
  } finally {
    endTurn?.()
  }
  throw new ApiError('SUMMARY_TOO_EXPENSIVE', {
    message: `The question takes more than ${budgetMs / 1_000} seconds to answer; narrow its filters or group by less`,
    details: { budgetMs },
  })
}

async function readRates(db: Executor, { workspace }: Pick<CrmContext, 'workspace'>): Promise<Rates> {
  const { currencies } = schema
  const rows = await db
    .select({ code: currencies.code, rate: currencies.rate })
    .from(currencies)
    .where(and(eq(currencies.workspaceId, workspace.id), isNotNull(currencies.rate)))
  return new Map([...rows.map(({ code, rate }): [string, string] => [code, rate as string]), [workspace.currency, '1']])
}

function labelsOf(
  context: CrmContext,
  kind: RecordKind,
  { dimensions }: Asked,
  rows: readonly SummaryRow[],
): Promise<Labels[]> {
  const named = async ({ type, name }: AskedDimension, at: number): Promise<Labels> => {
    if (type !== 'id') return undefined
    const ids = new Set(rows.flatMap(({ k1, k2 }) => (at === 0 ? k1 : k2) ?? []))
    return readNames(context.db, context, kind.entityType, name, [...ids])
  }
  return Promise.all(dimensions.map(named))
}
