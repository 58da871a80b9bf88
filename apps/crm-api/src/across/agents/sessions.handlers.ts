import {
  agentSessions,
  sessionUndoableMs,
  success,
  type RecordChange,
  type SessionOperation,
  type timelineKinds,
} from '@crm/contract'
import { schema } from '@crm/db'
import { ApiError, permissionRequired } from '@crm/errors'
import { fullName } from '@crm/identity'
import { and, eq, inArray } from 'drizzle-orm'
import { titlesOf } from '../../domain/agents/acts-titles.ts'
import { peopleInReach } from '../../domain/agents/people-in-reach.ts'
import {
  listActedRows,
  listSessions,
  listTouched,
  lockSession,
  noteUndo,
  peopleWithSessions,
  readSessionEntries,
  undoSessionEvent,
  type SessionEntry,
  type SessionRow,
} from '../../domain/agents/sessions.repository.ts'
import { keyOf } from '../../kinds/in-sight.ts'
import { implement, type CrmContext } from '../../platform/context.ts'
import { insertJob } from '../../platform/jobs.ts'
import { audit } from '../../records/audit.ts'
import { readCursor, writeCursor } from '../../records/cursors.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'

const { jobs } = schema

const everybodys = 'MANAGE_API_KEYS'

/** The entries that one page of a session shows. */
const entriesAtOnce = 200

/** Records beyond are not counted before the work begins. */
const countedMax = 100_000

export const implementedAgentSessions = implement(agentSessions, {
  list: async ({ query: { viaId, from, to, ...page } }, context) => {
    const people = await whoseSessions(context)
    const filter = { people, viaId, from, to }
    const at = { limit: page.pageSize, offset: offsetOf(page) }
    const { items, total } = await listSessions(context.db, context.workspace.id, filter, at)
    return pageOf({ items: items.map(shown), total }, page)
  },

  get: async ({ params, query: { cursor } }, context) => {
    const session = await findSession(context, params.id, await whoseSessions(context))
    const { db, workspace } = context
    const before = cursor === undefined ? undefined : readCursor(cursor)
    const found = await readSessionEntries(
      db,
      workspace.id,
      { ...session, until: null },
      { before, limit: entriesAtOnce },
    )
    const entries = found.length < entriesAtOnce ? found : withoutLastGroup(found)
    const last = entries.at(-1)
    return success({
      ...shown(session),
      operations: await operationsOf(context, entries),
      nextCursor: found.length < entriesAtOnce || !last ? null : writeCursor(last.id),
    })
  },

  undo: async ({ params: { id }, body }, context) => {
    const { workspace, at } = context
    const isRehearsal = body?.dryRun === true
    const jobId = await context.transact(async (tx) => {
      await lockSession(tx, workspace.id, id)
      const session = await findSession({ db: tx, workspace }, id)
      refuseForeign(context, session)
      if (at > undoableUntil(session))
        throw new ApiError('INVALID_TRANSITION', { message: 'A session can be undone for 72 hours' })
      if (!isRehearsal && (await isRunning({ ...context, db: tx }, session.undoJobId)))
        throw new ApiError('INVALID_TRANSITION', { message: 'The session is being undone' })
      const { viaId, employeeId, startedAt, nextAt, viaName } = session
      const span = { viaId, employeeId, startedAt, nextAt, until: at }
      const all = { after: null, limit: countedMax }
      const touched = await listTouched(tx, workspace.id, span, all)
      const acted = await listActedRows(tx, workspace.id, span, all)
      const total = touched.length + acted.length
      const { source, via } = context.actor
      const payload = { span, dryRun: isRehearsal, source, via }
      const job = await insertJob(tx, context, { kind: undoSessionEvent, total, payload })
      if (isRehearsal) return job
      await noteUndo(tx, workspace.id, id, job)
      await audit(tx, context, {
        action: 'agent-session.undone',
        subjectType: 'AGENT_SESSION',
        subjectId: id,
        summary: `Began to undo a session of ${viaName}`,
        data: { viaId, jobId: job, records: total },
      })
      return job
    })
    return success({ jobId })
  },
})

/** Returns the people whose sessions the caller may know. */
async function whoseSessions(context: CrmContext): Promise<readonly string[]> {
  const { caller, db, workspace } = context
  if (!caller.effective.has(everybodys)) return [caller.employee.id]
  return peopleInReach(context, await peopleWithSessions(db, workspace.id))
}

/** @throws ApiError NOT_FOUND */
async function findSession(
  { db, workspace }: Pick<CrmContext, 'db' | 'workspace'>,
  id: string,
  people?: readonly string[],
): Promise<SessionRow> {
  const { items } = await listSessions(db, workspace.id, { id, ...(people && { people }) }, { limit: 1, offset: 0 })
  const [session] = items
  if (!session) throw new ApiError('NOT_FOUND', { message: 'There is no such session' })
  return session
}

/** Refuses the sessions of other people to callers who do not manage keys; whom those reach is judged before. */
function refuseForeign({ caller }: CrmContext, { employeeId }: SessionRow): void {
  if (employeeId !== caller.employee.id && !caller.effective.has(everybodys)) throw permissionRequired(everybodys)
}

async function isRunning({ db, workspace }: CrmContext, jobId: string | null): Promise<boolean> {
  if (jobId === null) return false
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.workspaceId, workspace.id), eq(jobs.id, jobId), inArray(jobs.state, ['QUEUED', 'RUNNING'])))
  return rows.length > 0
}

function undoableUntil({ lastAt }: Pick<SessionRow, 'lastAt'>): string {
  return new Date(Date.parse(lastAt) + sessionUndoableMs).toISOString()
}

function shown(session: SessionRow) {
  const { id, employeeId, viaType, viaId, viaName, startedAt, lastAt, reads, writes, refusals, records, undoJobId } =
    session
  return {
    id,
    employeeId,
    employeeName: fullName(session),
    via: { type: viaType, id: viaId, name: viaName },
    startedAt,
    lastAt,
    reads,
    writes,
    refusals,
    records,
    undoableUntil: undoableUntil(session),
    undoJobId,
  }
}

const groupOf = ({ groupId, id }: SessionEntry): string => groupId ?? id

/** Leaves the last operation to the next page, where the page may not hold all of it; an operation as long as a page is cut. */
function withoutLastGroup(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const last = entries.at(-1)
  const whole = entries.filter((entry) => last && groupOf(entry) !== groupOf(last))
  return whole.length > 0 ? whole : entries
}

async function operationsOf(context: CrmContext, entries: readonly SessionEntry[]): Promise<SessionOperation[]> {
  const titles = await titlesOf(context, entries)
  return [...Map.groupBy(entries, groupOf)].map(([id, of]) => {
    const [newest] = of as [SessionEntry, ...SessionEntry[]]
    const hidden = new Set(of.map(keyOf).filter((key) => !titles.has(key))).size
    const changes = of.flatMap((entry) => {
      const title = titles.get(keyOf(entry))
      return title === undefined ? [] : [changeOf(entry, title)]
    })
    const { occurredAt: at, operation } = newest
    return { id, at, ...(operation === null ? {} : { operation }), changes, ...(hidden > 0 ? { hidden } : {}) }
  })
}

const kindsOfChange: Readonly<Record<string, RecordChange['kind']>> = { CREATED: 'CREATE', DELETED: 'DELETE' }

function changeOf({ entityType, entityId, kind, changes }: SessionEntry, title: string | null) {
  return {
    entityType,
    id: entityId,
    title,
    kind: kindsOfChange[kind] ?? 'UPDATE',
    fields: Object.fromEntries(changes.map(({ field, from, to }) => [field, [from, to]])),
    told: kind as (typeof timelineKinds)[number],
  }
}
