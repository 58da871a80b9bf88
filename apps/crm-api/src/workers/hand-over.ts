import { schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { personFields } from '@crm/model'
import { and, eq } from 'drizzle-orm'
import { moveOthers, moveOthersBack } from '../across/hand-over/belonging-others.ts'
import { nextRecordIds } from '../across/hand-over/belonging-records.ts'
import { planHandOver } from '../across/hand-over/hand-over.plan.ts'
import { handOverEvent, type HandOverWork, type Moved } from '../across/hand-over/hand-over.work.ts'
import { moveMeetingsBack, settleMeetings } from '../across/hand-over/meetings.ts'
import { readReceivingRights } from '../across/hand-over/receivers.ts'
import { changedKinds, type ChangedKind } from '../across/undo/undoable-kinds.ts'
import type { CrmContext } from '../platform/context.ts'
import { lockRecords } from '../records/owned/repository.ts'
import { isSwitchedOff } from '../records/rights.ts'
import type { Undoable } from '../records/owned/trace.ts'
import { readOperationRecords } from '../records/owned/undo.ts'
import type { JobHandler } from './job-handler.ts'
import type { JobRow } from './job-rows.ts'
import { runStep, type Step } from './job-steps.ts'

/** As many records as stay in memory with their history, and as a transaction of half a second changes. */
const recordsAtOnce = 200

/** The place after all kinds of record. */
const last = 'LAST'

/** Where a step begins: at the next records of a kind after an id, or after all records. */
interface Place {
  readonly entityType: string
  readonly after: string | null
}

/** Returns the kinds that are left at the cursor of a job; of the first, only records after an id. */
function placesFrom(cursor: string | null, kinds: readonly string[]): readonly Place[] {
  const [entityType = last, after = ''] = (cursor ?? `${kinds[0] ?? last}:`).split(':')
  const at = kinds.indexOf(entityType)
  const left = at === -1 ? [] : kinds.slice(at)
  return left.map((kind, place) => ({ entityType: kind, after: place > 0 || after === '' ? null : after }))
}

/** Returns the cursor behind some records of a kind: the next of them, or the beginning of the next kind. */
function cursorAfter(entityType: string, ids: readonly string[], kinds: readonly string[]): string {
  if (ids.length === recordsAtOnce) return `${entityType}:${ids.at(-1)}`
  return `${kinds[kinds.indexOf(entityType) + 1] ?? last}:`
}

/** Does the next records of the first kind that has some; undefined when no kind has any. */
async function doNext(
  cursor: string | null,
  kinds: readonly ChangedKind[],
  work: (changed: ChangedKind, after: string | null) => Promise<Pick<Step, 'ids' | 'results'>>,
): Promise<Step | undefined> {
  const names = kinds.map(({ kind }) => kind.entityType)
  for (const { entityType, after } of placesFrom(cursor, names)) {
    const changed = kinds.find(({ kind }) => kind.entityType === entityType)
    const done = changed && (await work(changed, after))
    if (done && done.ids.length > 0) return { ...done, cursor: cursorAfter(entityType, done.ids, names), isOver: false }
  }
  return undefined
}

/** The kinds of record of a job that can be changed now, in order. */
async function kindsOf(tx: Transaction, context: CrmContext, { kinds }: HandOverWork): Promise<readonly ChangedKind[]> {
  const known = await changedKinds(tx, context)
  return known.filter(
    ({ kind: { entityType } }) => kinds.includes(entityType) && !isSwitchedOff(context, `UPDATE_${entityType}`),
  )
}

/** Hands over the next records of a person, or at the end everything else. */
export const handOverJob: JobHandler = (job) =>
  runStep(job, async (tx, context, row) => {
    const work = row.payload as unknown as HandOverWork
    const kinds = await kindsOf(tx, context, work)
    const done = await doNext(row.cursor, kinds, (changed, after) =>
      giveRecords(tx, context, row, { work, changed, after }),
    )
    return done ?? giveOthers(tx, context, work)
  })

interface Stretch {
  readonly work: HandOverWork
  readonly changed: ChangedKind
  readonly after: string | null
}

async function giveRecords(
  tx: Transaction,
  context: Undoable<CrmContext>,
  { processed }: JobRow,
  { work: { personId, includeOver, toIds }, changed: { kind, change }, after }: Stretch,
): Promise<Pick<Step, 'ids' | 'results'>> {
  const { entityType } = kind
  const ids = await nextRecordIds(tx, context, kind, { personId, includeOver, after, limit: recordsAtOnce })
  if (ids.length === 0) return { ids, results: [] }
  // Somebody may have lost sight of the kind since.
  const receivers = (await readReceivingRights(tx, context, toIds)).mayHave(entityType)
  if (receivers.length === 0)
    throw new ApiError('ACCESS_DENIED', { message: `Nobody who was chosen may see records of the kind ${entityType}` })
  const locked = await lockRecords(tx, kind, context.scope(entityType, 'UPDATE'), ids)
  const fields = personFields(entityType)
  const records = [...locked.values()].map((current, at) => {
    const to = receivers[(processed + at) % receivers.length] as string
    return { current, patch: planHandOver(current, fields, personId, to) }
  })
  return { ids, results: await change(tx, withOneEntry(context), records) }
}

/** Each record has one entry, however many of its fields named the person. */
const withOneEntry = (context: Undoable<CrmContext>) => ({ ...context, isOneEntry: true }) as const

async function giveOthers(tx: Transaction, context: CrmContext, work: HandOverWork): Promise<Step> {
  const { isWithinCaller } = await readReceivingRights(tx, context, work.toIds)
  const giver = { effective: context.caller.effective, mayActAsReceivers: isWithinCaller }
  const others = await moveOthers(tx, context.workspace.id, work, giver)
  const { results, moved: meetings } = await settleMeetings(tx, context, work)
  const moved: Moved = { others, meetings }
  return {
    ids: [...others.map(({ id }) => id), ...results.map(({ id }) => id)],
    results,
    isOver: true,
    kept: { moved },
  }
}

/** Gives the next things that a hand-over moved back to the person who had them. */
export const handBackJob: JobHandler = (job) =>
  runStep(job, async (tx, context, row) => {
    const operationId = row.payload['handOverId'] as string
    const work = await readWork(tx, context, operationId)
    const done = await doNext(row.cursor, await kindsOf(tx, context, work), async ({ kind, undo }, after) => {
      const { entityType } = kind
      const records = await readOperationRecords(tx, context, { operationId, after, limit: recordsAtOnce, entityType })
      const ids = records.map(({ id }) => id)
      return { ids, results: ids.length === 0 ? [] : await undo(tx, withOneEntry(context), records) }
    })
    return done ?? giveOthersBack(tx, context, work)
  })

async function giveOthersBack(tx: Transaction, context: CrmContext, { personId, moved }: HandOverWork): Promise<Step> {
  const { others = [], meetings = [] } = moved ?? {}
  await moveOthersBack(tx, context.workspace.id, personId, others)
  const back = await moveMeetingsBack(tx, context, personId, meetings)
  const stayed = meetings.slice(back).map(({ id }) => ({
    id,
    status: 'ERROR' as const,
    code: 'SLOT_TAKEN',
    message: 'The meeting is over, changed or at a time that is taken',
  }))
  return { ids: [...others, ...meetings].map(({ id }) => id), results: stayed, isOver: true }
}

async function readWork(tx: Transaction, { workspace }: CrmContext, id: string): Promise<HandOverWork> {
  const { jobs } = schema
  const [job] = await tx
    .select({ payload: jobs.payload })
    .from(jobs)
    .where(and(eq(jobs.workspaceId, workspace.id), eq(jobs.id, id), eq(jobs.kind, handOverEvent)))
  if (!job) throw new ApiError('NOT_FOUND', { message: 'There is no such hand-over' })
  return job.payload as unknown as HandOverWork
}
