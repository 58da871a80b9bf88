import type { FinishedImport } from '@crm/contract'
import { recordChange, type Transaction } from '@crm/db'
import type { ImportRow, RowOutcome } from '../across/transfers/imports.repository.ts'
import type { CrmContext } from '../platform/context.ts'
import { tell } from '../records/notices.ts'
import { employeeContext } from './employee-context.ts'
import type { Job } from './job-handler.ts'

// What the steps of a single import and of a migration have in common.

/** After so many failures in a row the work counts as failed. */
export const attemptsMax = 8

/** The work of somebody who imports. */
interface Work {
  readonly workspaceId: string
  readonly employeeId: string
}

/** Returns the context of the person who imports; all steps are one operation in the histories of the records. */
export async function importingContext(job: Job, work: Work & { readonly id: string }): Promise<CrmContext> {
  return { ...asImport(await employeeContext(job, work), work.id), groupId: work.id }
}

/** Returns the context of a revert: it runs with the rights of the person who requested it, not with those of the importer. */
export async function revertingContext(
  job: Job,
  { workspaceId, employeeId, id }: Work & { readonly id: string },
): Promise<CrmContext> {
  const actor = job.row.payload['actor'] as { readonly id: string | null } | undefined
  return asImport(await employeeContext(job, { workspaceId, employeeId: actor?.id ?? employeeId }), id)
}

function asImport(context: CrmContext, id: string): CrmContext {
  const via = { type: 'IMPORT', id, name: null } as const
  return { ...context, actor: { ...context.actor, source: 'IMPORT', via } }
}

/** Returns how far a file is after further rows. */
export function progressOf(file: ImportRow, outcomes: readonly RowOutcome[]) {
  const of = (outcome: RowOutcome['outcome']): number => outcomes.filter((one) => one.outcome === outcome).length
  return {
    processed: file.processed + outcomes.length,
    created: file.created + of('CREATED'),
    updated: file.updated + of('UPDATED'),
    merged: file.merged + of('MERGED'),
    skipped: file.skipped + of('SKIPPED'),
    failed: file.failed + of('FAILED'),
  }
}

/** Tells rules, workflows and receivers once that an import is done; of silent records they hear nothing else. */
export async function emitFinished(
  tx: Transaction,
  { actor, at }: CrmContext,
  { workspaceId, employeeId, createdAt }: Work & { readonly createdAt: string },
  done: Omit<FinishedImport, 'createdById' | 'createdAt' | 'finishedAt'>,
): Promise<void> {
  const record: FinishedImport = { ...done, createdById: employeeId, createdAt, finishedAt: at }
  await recordChange(tx, {
    workspaceId,
    actor,
    at,
    events: [
      {
        topic: 'change',
        event: 'import.finished',
        entityType: 'IMPORT',
        entityId: done.id,
        payload: { record, changes: [] },
      },
    ],
  })
}

/** What whoever imports is told. */
interface Notice {
  readonly text: string
  readonly data: Readonly<Record<string, string>>
  readonly kind?: 'import.finished' | 'import.failed'
}

/** Tells the person who imports how it ended. */
export function tellImporter(
  tx: Transaction,
  { workspaceId, employeeId }: Work,
  at: string,
  { kind = 'import.finished', ...notice }: Notice,
): Promise<void> {
  return tell(tx, { workspaceId, at }, [{ employeeId, kind, ...notice }])
}
