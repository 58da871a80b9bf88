import { reaches, scopeOf, type RecordHolders, type Transaction } from '@crm/db'
import { readEmployeeCaller, type Caller, type Queryable } from '@crm/identity'
import type { OutboxRow } from '@crm/jobs'
import { sql } from 'drizzle-orm'

/** The record that a change concerns, with the facts that decide who may see it. */
export interface Subject extends RecordHolders {
  readonly entityType: string
  readonly entityId: string
  /** The organizer of a booking. */
  readonly organizerId?: string
}

interface SubjectPayload {
  readonly record?: RecordHolders & { readonly organizerId?: string }
  /** The record that a comment belongs to. */
  readonly subject?: Subject
}

/** Returns the subject of a change; null for a change without a record. Everybody who sees a record sees its comments. */
export function subjectOf({ entityType, entityId, payload }: OutboxRow): Subject | null {
  const { record, subject } = payload as SubjectPayload
  if (entityType === 'COMMENT') return subject ?? null
  if (!record || entityType === null || entityId === null) return null
  const { ownerId, createdById, departmentId, assigneeId, memberIds, organizerId } = record
  return { entityType, entityId, ownerId, createdById, departmentId, assigneeId, memberIds, organizerId }
}

/** Whether a person is active and may see a record; their automation is told no more than they are. */
export type Sees = (employeeId: string | null, subject: Subject | null) => Promise<boolean>

/** Makes the check for one workspace. */
export type Sight = (tx: Transaction, workspaceId: string) => Sees

/** The sight that people have by their rights; each person is looked up once. */
export const createSight: Sight = (tx, workspaceId) => {
  // Bounded: the people of one workspace, for one transaction.
  const callers = new Map<string, Caller | null>()
  return async (employeeId, subject) => {
    if (employeeId === null || subject === null) return false
    if (!callers.has(employeeId))
      callers.set(employeeId, await readEmployeeCaller(queryableIn(tx), workspaceId, employeeId))
    const caller = callers.get(employeeId)
    return caller?.employee.status === 'ACTIVE' && maySee(workspaceId, caller, subject)
  }
}

function maySee(workspaceId: string, caller: Caller, subject: Subject): boolean {
  if (subject.entityType === 'BOOKING')
    return caller.effective.has('MANAGE_BOOKING') || subject.organizerId === caller.employee.id
  if (subject.entityType === 'IMPORT') return caller.effective.has('IMPORT_DATA')
  const scope = scopeOf(workspaceId, caller, subject.entityType)
  return scope !== null && reaches(scope, subject)
}

/** Adapts a transaction to queries with numbered values; a second connection could have to wait for this one. */
function queryableIn(tx: Transaction): Queryable {
  return {
    query: async <Row extends object>({ text, values }: { readonly text: string; readonly values: unknown[] }) => {
      const parts = text
        .split(/\$(\d+)/)
        .map((part, at) => (at % 2 === 0 ? sql.raw(part) : sql`${values[Number(part) - 1]}`))
      const { rows } = await tx.execute(sql.join(parts))
      return { rows: rows as unknown as Row[] }
    },
  }
}
