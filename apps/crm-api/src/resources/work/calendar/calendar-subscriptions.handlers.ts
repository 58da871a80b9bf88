import { calendarSubscriptions, success } from '@crm/contract'
import { isAnyOf, newId, schema, type Executor, type Transaction } from '@crm/db'
import { checkOutbound } from '@crm/egress'
import { ApiError, invalidField } from '@crm/errors'
import { calendarUrl, openOncePlain, sealOncePlain, SecretUnreadableError } from '@crm/secrets'
import { and, asc, count, eq, type SQL } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { unreadableUrl } from './fetch-calendars.ts'

const { calendarEvents, calendarSubscriptions: table } = schema

/** The maximum per person: each subscription is fetched again and again. */
const subscriptionsMax = 20

/** The columns that the API shows of a subscription; its content stays in the database. */
const shown = {
  id: table.id,
  employeeId: table.employeeId,
  name: table.name,
  url: table.url,
  problem: table.problem,
  fetchedAt: table.fetchedAt,
  readRevision: table.readRevision,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
  createdById: table.createdById,
}

interface ShownRow extends Pick<typeof table.$inferSelect, keyof typeof shown> {
  readonly eventCount: number
}

export const implementedCalendarSubscriptions = implement(calendarSubscriptions, {
  list: async ({ query }, context) => {
    const [total] = await context.db.select({ n: count() }).from(table).where(isMine(context))
    const rows = await context.db
      .select(shown)
      .from(table)
      .where(isMine(context))
      .orderBy(asc(table.name), asc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    const items = await withCounts(context.db, context, await opened(context.db, context, rows))
    return pageOf({ items: items.map(toRecord), total: total?.n ?? 0 }, query)
  },

  get: async ({ params }, context) => success(await requireSubscription(context.db, context, params.id)),

  create: async ({ body }, context) => {
    const url = fetchedUrl(body.url, context)
    return context.transact(async (tx) => {
      const { workspace, caller, at } = context
      const [own] = await tx.select({ n: count() }).from(table).where(isMine(context))
      if ((own?.n ?? 0) >= subscriptionsMax)
        throw invalidField('url', `At most ${subscriptionsMax} calendars can be subscribed to`)
      const id = newId()
      await tx.insert(table).values({
        workspaceId: workspace.id,
        id,
        employeeId: caller.employee.id,
        name: body.name,
        url: await sealUrl(tx, context, id, url),
        nextFetchAt: at,
        createdById: caller.employee.id,
        createdAt: at,
        updatedAt: at,
      })
      return success(await requireSubscription(tx, context, id))
    })
  },

  update: async ({ params, body }, context) => {
    const url = body.url === undefined ? undefined : fetchedUrl(body.url, context)
    return context.transact(async (tx) => {
      await requireSubscription(tx, context, params.id)
      // The results of the earlier address do not apply to the new one.
      const elsewhere =
        url === undefined
          ? {}
          : {
              url: await sealUrl(tx, context, params.id, url),
              nextFetchAt: context.at,
              failures: 0,
              problem: null,
              content: null,
            }
      await tx
        .update(table)
        .set({ name: body.name, ...elsewhere, updatedAt: context.at })
        .where(isSubscription(context, params.id))
      return success(await requireSubscription(tx, context, params.id))
    })
  },

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      await requireSubscription(tx, context, params.id)
      // The events of the subscription are deleted with it.
      await tx.delete(table).where(isSubscription(context, params.id))
      return success({ id: params.id })
    }),

  refresh: async ({ params }, context) =>
    context.transact(async (tx) => {
      await requireSubscription(tx, context, params.id)
      await tx.update(table).set({ nextFetchAt: context.at }).where(isSubscription(context, params.id))
      return success(await requireSubscription(tx, context, params.id))
    }),
})

/** Returns the address that is fetched; `webcal` is the name of calendar programs for https. */
function fetchedUrl(url: string, { deps }: CrmContext): string {
  const wanted = url.replace(/^webcals?:\/\//i, 'https://')
  const [problem] = checkOutbound({ url: wanted, method: 'GET' }, { allowCidrs: deps.outboundAllowCidrs })
  if (problem) throw invalidField('url', problem.message)
  return wanted
}

function isMine({ workspace, caller }: CrmContext): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id)) as SQL
}

function isSubscription(context: CrmContext, id: string): SQL {
  return and(isMine(context), eq(table.id, id)) as SQL
}

function sealUrl(tx: Transaction, { deps, workspace }: CrmContext, id: string, url: string): Promise<string> {
  return sealOncePlain(deps.secrets, tx, calendarUrl(workspace.id, id), url)
}

type SubscriptionRow = Omit<ShownRow, 'eventCount'>

/** Returns subscriptions with their addresses; an address that cannot be read is empty, so that its owner can give it anew. */
async function opened(
  db: Executor | Transaction,
  { deps, workspace }: CrmContext,
  rows: readonly SubscriptionRow[],
): Promise<SubscriptionRow[]> {
  const shownRows: SubscriptionRow[] = []
  for (const row of rows) {
    try {
      const url = await openOncePlain(deps.secrets, db, calendarUrl(workspace.id, row.id), row.url)
      shownRows.push({ ...row, url })
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error
      deps.logger.error({ err: error }, 'the address of a calendar cannot be opened')
      shownRows.push({ ...row, url: '', problem: unreadableUrl })
    }
  }
  return shownRows
}

async function requireSubscription(db: Executor | Transaction, context: CrmContext, id: string) {
  const rows = await db.select(shown).from(table).where(isSubscription(context, id))
  const [row] = await withCounts(db, context, await opened(db, context, rows))
  if (!row) throw new ApiError('NOT_FOUND', { message: 'There is no such subscription of yours' })
  return toRecord(row)
}

async function withCounts(
  db: Executor | Transaction,
  { workspace }: CrmContext,
  rows: readonly Omit<ShownRow, 'eventCount'>[],
): Promise<ShownRow[]> {
  if (rows.length === 0) return []
  const counts = await db
    .select({ id: calendarEvents.subscriptionId, n: count() })
    .from(calendarEvents)
    .where(
      and(
        eq(calendarEvents.workspaceId, workspace.id),
        isAnyOf(
          calendarEvents.subscriptionId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .groupBy(calendarEvents.subscriptionId)
  const byId = new Map(counts.map(({ id, n }) => [id, n]))
  return rows.map((row) => ({ ...row, eventCount: byId.get(row.id) ?? 0 }))
}

function toRecord({ readRevision, ...row }: ShownRow) {
  const state =
    row.problem === null ? (readRevision === 0 ? ('WAITING' as const) : ('READ' as const)) : ('FAILING' as const)
  return { ...row, state }
}
