import {
  isAnyOf,
  plantedRecords,
  plantedTables,
  recordChange,
  schema,
  sqlState,
  systemActor,
  type PlantedTable,
  type Transaction,
} from '@crm/db'
import { storageKey } from '@crm/storage'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { demoRemoval } from '../across/demo/demo.handlers.ts'
import { leaveContents } from '../domain/files/leaving-contents.repository.ts'
import { recordKinds, type KnownEntity } from '../kinds/kinds.ts'
import type { OwnedTable } from '../records/owned/kind.ts'
import { removeForGood, type ReferringColumn } from '../records/owned/purge.ts'
import type { JobHandler } from './job-handler.ts'
import { failedAgain, finishJob, isJob, jobAttemptsMax, lockOpenJob } from './job-rows.ts'
import { referredToBy } from './sweep-records.ts'

const { auditLog, customRecords, demoRecords, departments, documentRecords, employees, fileLinks, jobs } = schema
const { payments, recordLinks, sessions } = schema

/** The number of planted rows of one step, which is one transaction. */
const stepRows = 100

/** The rows that are a part of a planted one, and keep it from being deleted. */
const partsOf: Partial<Record<string, ReferringColumn>> = {
  INVOICE: { table: payments, column: payments.invoiceId },
}

interface Place {
  readonly tx: Transaction
  readonly workspaceId: string
  readonly at: string
}

/**
 * Removes the next planted rows. The rows, the progress and the request for the next step are one transaction, so that a
 * crash repeats a step or nothing.
 */
export const removeDemo: JobHandler = async ({ row, tx, at }) => {
  const { workspaceId } = row
  const job = await lockOpenJob(tx, workspaceId, row.payload['jobId'] as string)
  if (!job) return
  if (row.attempts >= jobAttemptsMax)
    return finishJob(tx, job, at, {
      state: 'FAILED',
      error: failedAgain(job),
      text: 'The demo data could not be removed',
    })
  const next = await nextRows(tx, workspaceId)
  if (!next) {
    await finishJob(tx, job, at, { state: 'DONE', text: 'The demo data is removed' })
    // People and departments are gone, which every process remembers for a while.
    return recordChange(tx, {
      workspaceId,
      actor: systemActor,
      at,
      events: [{ topic: 'access', event: 'access.changed' }],
    })
  }
  const place = { tx, workspaceId, at }
  const kept = await removeRows(place, next.kind, next.ids)
  await tx
    .update(jobs)
    .set({
      state: 'RUNNING',
      startedAt: job.startedAt ?? at,
      processed: job.processed + next.ids.length,
      failed: job.failed + kept,
    })
    .where(isJob(job))
  await recordChange(tx, {
    workspaceId,
    actor: systemActor,
    at,
    events: [{ topic: 'job', event: demoRemoval, payload: { jobId: job.id } }],
  })
}

/** Returns the next planted rows of one kind: rows that refer to others come before these. */
async function nextRows(
  tx: Transaction,
  workspaceId: string,
): Promise<{ readonly kind: string; readonly ids: readonly string[] } | undefined> {
  const isLeft = and(eq(demoRecords.workspaceId, workspaceId), eq(demoRecords.kept, false))
  const left = await tx.selectDistinct({ kind: demoRecords.kind }).from(demoRecords).where(isLeft)
  const kinds = new Set(left.map(({ kind }) => kind))
  const early = ['ACTIVITY', 'TASK', 'DELIVERY', 'RULE_RUN', 'WORKFLOW_RUN', 'NOTIFICATION', 'SAVED_FILTER']
  const meetings = ['CALENDAR_EVENT', 'BOOKING', 'BOOKING_LINK']
  const builtIn = [...Object.keys(plantedRecords), ...Object.keys(plantedTables)]
  const custom = [...kinds].filter((kind) => !builtIn.includes(kind))
  const kind = [...early, ...custom, ...meetings, ...builtIn].find((one) => kinds.has(one))
  if (kind === undefined) return undefined
  const rows = await tx
    .select({ id: demoRecords.id })
    .from(demoRecords)
    .where(and(isLeft, eq(demoRecords.kind, kind)))
    .orderBy(demoRecords.id)
    .limit(stepRows)
  return { kind, ids: rows.map(({ id }) => id) }
}

/** Removes planted rows of one kind, and keeps those that something of people refers to; returns the number of these. */
async function removeRows(place: Place, kind: string, ids: readonly string[]): Promise<number> {
  const { tx, workspaceId } = place
  const rows = (some: readonly string[]) =>
    and(eq(demoRecords.workspaceId, workspaceId), eq(demoRecords.kind, kind), isAnyOf(demoRecords.id, some))
  let left = ids
  let before: number
  // A department can go once those below it are gone.
  do {
    before = left.length
    const held: string[] = []
    for (const id of left) if (!(await isRemoved(place, kind, id))) held.push(id)
    const gone = left.filter((id) => !held.includes(id))
    if (gone.length > 0) await tx.delete(demoRecords).where(rows(gone))
    left = held
  } while (left.length > 0 && left.length < before)
  if (left.length > 0) await tx.update(demoRecords).set({ kept: true }).where(rows(left))
  return left.length
}

/** Removes a planted row and returns true, or returns false when something refers to it. */
async function isRemoved(place: Place, kind: string, id: string): Promise<boolean> {
  return place.tx
    .transaction(async (inner) => {
      const within = { ...place, tx: inner }
      if (await isHeld(within, kind, id)) return false
      await remove(within, kind, id)
      return true
    })
    .catch((error: unknown) => {
      // A foreign key refers to it.
      if (sqlState(error) === '23503') return false
      throw error
    })
}

/** Returns the columns without a foreign key by which rows of people refer to a planted row. */
function holding(kind: string): readonly ReferringColumn[] {
  if (kind === 'EMPLOYEE')
    return [
      { table: employees, column: employees.managerId },
      { table: departments, column: departments.headId },
    ]
  if (kind === 'DEPARTMENT')
    return [...Object.values(recordKinds).map((one) => one.table), customRecords].map((table) => ({
      table,
      column: table.departmentId,
    }))
  return referredToBy(kind as KnownEntity)
}

async function isHeld({ tx, workspaceId }: Place, kind: string, id: string): Promise<boolean> {
  const isPlanted = (own: SQL) =>
    sql`EXISTS (SELECT FROM ${demoRecords} d WHERE d.workspace_id = ${workspaceId} AND d.id = ${own} AND NOT d.kept)`
  const holders = [
    ...holding(kind).map(
      ({ table, column }) =>
        sql`SELECT FROM ${table} h WHERE h.workspace_id = ${workspaceId} AND h.${sql.identifier(column.name)} = ${id} AND NOT ${isPlanted(sql`h.id`)}`,
    ),
    sql`SELECT FROM ${recordLinks} h WHERE h.workspace_id = ${workspaceId} AND h.entity_type = ${kind} AND h.entity_id = ${id} AND NOT ${isPlanted(sql`h.from_id`)}`,
    sql`SELECT FROM ${fileLinks} h WHERE h.workspace_id = ${workspaceId} AND h.entity_type = ${kind} AND h.entity_id = ${id} AND NOT ${isPlanted(sql`h.file_id`)}`,
    ...(kind === 'FILE'
      ? [fileLinks, documentRecords].map(
          (table) => sql`SELECT FROM ${table} h WHERE h.workspace_id = ${workspaceId} AND h.file_id = ${id}`,
        )
      : []),
    // Somebody who has signed in is no invention any more.
    ...(kind === 'EMPLOYEE'
      ? [
          sql`SELECT FROM ${sessions} h WHERE h.workspace_id = ${workspaceId} AND h.employee_id = ${id}`,
          sql`SELECT FROM ${auditLog} h WHERE h.workspace_id = ${workspaceId} AND h.actor_id = ${id}`,
        ]
      : []),
  ]
  const { rows } = await tx.execute<{ held: boolean }>(
    sql`SELECT ${sql.join(
      holders.map((holder) => sql`EXISTS (${holder})`),
      sql` OR `,
    )} AS held`,
  )
  return rows[0]?.held === true
}

async function remove({ tx, workspaceId, at }: Place, kind: string, id: string): Promise<void> {
  const parts = partsOf[kind]
  if (parts) await tx.delete(parts.table).where(and(eq(parts.table.workspaceId, workspaceId), eq(parts.column, id)))
  const owned = ownedTable(kind)
  const key = { workspaceId, id, entityType: kind }
  if (owned) return removeForGood(tx, { table: owned, referredToBy: referredToBy(kind as KnownEntity) }, key, at)
  const table = (plantedTables as Readonly<Record<string, PlantedTable>>)[kind]
  if (!table) throw new Error(`Nobody here knows how to remove ${kind}`)
  await tx.delete(table).where(and(eq(table.workspaceId, workspaceId), eq(table.id, id)))
  if (kind === 'FILE') await leaveContents(tx, [{ workspaceId, key: storageKey({ workspaceId, id }) }], at)
}

function ownedTable(kind: string): OwnedTable | undefined {
  if (Object.hasOwn(recordKinds, kind)) return recordKinds[kind as KnownEntity].table
  return Object.hasOwn(plantedTables, kind) ? undefined : customRecords
}
