import { notificationKinds, notifications, notificationsShownMax, success } from '@crm/contract'
import { isAnyOf, schema, type Executor } from '@crm/db'
import type { Via } from '@crm/permissions'
import { and, count, desc, eq, inArray, isNotNull, isNull, lte, gt, or, sql, type SQL } from 'drizzle-orm'
import { addressOf, keyOf, readSeen, sightOf } from '../../kinds/in-sight.ts'
import { kindsInSight } from '../../kinds/kinds.ts'
import { withLinks, type RecordLink } from '../../kinds/record-links.ts'
import { visibleReferences } from '../../kinds/references.ts'
import { implement, type CrmContext } from '../../platform/context.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'

const { comments, notificationMails, notifications: table } = schema

type Row = typeof table.$inferSelect

export const implementedNotifications = implement(notifications, {
  list: async ({ query }, context) => {
    const asked = and(
      isMine(context),
      query.unread ? isNull(table.readAt) : undefined,
      query.state === undefined ? undefined : states[query.state](context.at),
      query.viaId === undefined ? undefined : sql`${table.data} -> 'via' ->> 'id' = ${query.viaId}`,
      isWanted(context),
    )
    const newest = context.db
      .select({ id: table.id })
      .from(table)
      .where(asked)
      .orderBy(desc(table.id))
      .limit(notificationsShownMax)
    const where = and(isMine(context), inArray(table.id, newest), isInSight(context))
    const [total] = await context.db.select({ n: count() }).from(table).where(where)
    const rows = await context.db
      .select()
      .from(table)
      .where(where)
      .orderBy(desc(table.createdAt), desc(table.id))
      .limit(query.pageSize)
      .offset(offsetOf(query))
    return pageOf({ items: await present(context, rows), total: total?.n ?? 0 }, query)
  },

  read: async ({ body: { ids, read, done, snoozedUntil } }, context) =>
    context.transact(async (tx) => {
      const isAsked = done !== undefined || snoozedUntil !== undefined
      // A notification that was put off comes back as a new one.
      const isRead = snoozedUntil ? false : (read ?? (isAsked ? undefined : true))
      const changed = await tx
        .update(table)
        .set({
          ...(isRead === undefined ? {} : { readAt: isRead ? sql`coalesce(${table.readAt}, ${context.at})` : null }),
          ...(done === undefined ? {} : { doneAt: done ? context.at : null }),
          ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
          ...(done === true && read === undefined ? { readAt: sql`coalesce(${table.readAt}, ${context.at})` } : {}),
        })
        .where(
          and(
            isMine(context),
            ids ? isAnyOf(table.id, ids) : undefined,
            isRead === true && !isAsked ? isNull(table.readAt) : undefined,
          ),
        )
        .returning({ id: table.id })
      return success({ updated: changed.length })
    }),

  wishes: async (_input, { db, workspace, caller }) => {
    const [wished] = await db
      .select()
      .from(notificationMails)
      .where(and(eq(notificationMails.workspaceId, workspace.id), eq(notificationMails.employeeId, caller.employee.id)))
    return success({ mail: known(wished?.kinds), digest: known(wished?.digest), off: known(wished?.off) })
  },

  setWishes: async ({ body }, { workspace, caller, at, transact }) => {
    const { mail, digest, off } = { mail: known(body.mail), digest: known(body.digest), off: known(body.off) }
    const set = { kinds: mail, digest, off, since: at }
    await transact((tx) =>
      tx
        .insert(notificationMails)
        .values({ workspaceId: workspace.id, employeeId: caller.employee.id, ...set })
        .onConflictDoUpdate({ target: [notificationMails.workspaceId, notificationMails.employeeId], set }),
    )
    return success({ mail, digest, off })
  },
})

/** Returns kinds in their order; a kind that this version does not know is left out. */
function known(kinds: readonly string[] = []) {
  return notificationKinds.filter((kind) => kinds.includes(kind))
}

const states: Readonly<Record<'OPEN' | 'SNOOZED' | 'DONE', (at: string) => SQL | undefined>> = {
  OPEN: (at) => and(isNull(table.doneAt), or(isNull(table.snoozedUntil), lte(table.snoozedUntil, at))),
  SNOOZED: (at) => and(isNull(table.doneAt), gt(table.snoozedUntil, at)),
  DONE: () => isNotNull(table.doneAt),
}

function isMine({ workspace, caller }: CrmContext): SQL {
  return and(eq(table.workspaceId, workspace.id), eq(table.employeeId, caller.employee.id)) as SQL
}

/** The kinds that the person has not switched off. */
function isWanted({ workspace, caller }: CrmContext): SQL {
  return sql`NOT EXISTS (SELECT FROM ${notificationMails} WHERE ${notificationMails.workspaceId} = ${workspace.id}
    AND ${notificationMails.employeeId} = ${caller.employee.id} AND ${table.kind} = ANY (${notificationMails.off}))`
}

/** The notifications that are about no record, or about one that the person sees now. */
function isInSight(context: CrmContext): SQL {
  const kinds = kindsInSight(context).filter(({ entityType }) => sightOf(context, entityType))
  return or(isNull(table.entityId), visibleReferences(context, table, kinds)) as SQL
}

async function present(context: CrmContext, rows: readonly Row[]) {
  const { db, workspace } = context
  const links = rows.flatMap(({ entityType, entityId }) => (entityType && entityId ? [{ entityType, entityId }] : []))
  const records = await readSeen(db, context, links)
  const quotes = await readQuotes(db, workspace.id, rows)
  const about = await readAbout(context, rows)
  return rows.map(({ workspaceId: _workspace, employeeId: _employee, entityType, entityId, ...row }) => {
    const link = entityType && entityId ? { entityType, entityId } : undefined
    const seen = link && records.get(keyOf(link))
    const record = seen && {
      entityType: link.entityType,
      id: link.entityId,
      title: seen.kind.title(seen.row),
      url: addressOf(workspace.baseUrl, link),
    }
    const quote = (seen && quotes.get(String(row.data['commentId']))) ?? null
    return {
      ...row,
      record: record ?? null,
      about: (seen && about.get(seen.row.id)) ?? [],
      quote,
      via: viaIn(row.data),
    }
  })
}

/** Returns the records that tasks are for, with their titles, by the id of the task. */
async function readAbout(context: CrmContext, rows: readonly Row[]) {
  const tasks = rows.flatMap(({ entityType, entityId }) =>
    entityType === 'TASK' && entityId ? [{ id: entityId }] : [],
  )
  const linked = await withLinks(context.db, context, 'TASK', tasks)
  const seen = await readSeen(
    context.db,
    context,
    linked.flatMap(({ links }) => links),
  )
  const titled = (link: RecordLink) => {
    const found = seen.get(keyOf(link))
    return found ? [{ ...link, title: found.kind.title(found.row) }] : []
  }
  return new Map(linked.map(({ id, links }) => [id, links.flatMap(titled)]))
}

/** Returns the way by which the person came of whose deed a notification tells. */
function viaIn({ via }: Row['data']): Via | null {
  return typeof via === 'object' && via !== null ? (via as Via) : null
}

const quoteMax = 300

/** Returns the beginnings of the comments that notifications are about, by id. */
async function readQuotes(
  db: Executor,
  workspaceId: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ data }) => (typeof data['commentId'] === 'string' ? [data['commentId']] : []))
  if (ids.length === 0) return new Map()
  const found = await db
    .select({ id: comments.id, body: sql<string>`left(${comments.body}, ${quoteMax})` })
    .from(comments)
    .where(and(eq(comments.workspaceId, workspaceId), isAnyOf(comments.id, ids)))
  return new Map(found.map(({ id, body }) => [id, body]))
}
