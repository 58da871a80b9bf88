import { lead } from '@crm/model'
import { schema, type Executor } from '@crm/db'
import { ApiError, permissionRequired } from '@crm/errors'
import type { LeveledAction } from '@crm/permissions'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { contactKind } from '../../kinds/contacts.ts'
import { leadKind } from '../../kinds/leads.ts'
import { findVisibleIds } from '../transfers/exports.repository.ts'
import type { PrivacySubject } from './privacy.terms.ts'

const { contacts, employees, leads } = schema

export type SubjectKey = Pick<PrivacySubject, 'type' | 'id'>

/** Refuses a caller without the right to do something with the data of a person. */
export async function requireSubjectRights(
  context: CrmContext,
  { type, id }: SubjectKey,
  action: Extract<LeveledAction, 'VIEW' | 'DELETE'>,
): Promise<void> {
  const { caller, db } = context
  if (type === 'EMPLOYEE') {
    const isOneself = action === 'VIEW' && id === caller.employee.id
    if (!isOneself && !caller.effective.has('MANAGE_USERS')) throw permissionRequired('MANAGE_USERS')
    return
  }
  if (action === 'VIEW' && !caller.effective.has('EXPORT_DATA')) throw permissionRequired('EXPORT_DATA')
  const kind = type === lead.entity ? leadKind : contactKind
  if (!(await findVisibleIds(db, kind, context.scope(type, action), [id])).has(id)) throw notFound()
}

/** Returns a person of the workspace. */
export async function readSubject(
  db: Executor,
  workspaceId: string,
  { type, id }: SubjectKey,
): Promise<PrivacySubject> {
  const [row] =
    type === 'EMPLOYEE'
      ? await db
          .select()
          .from(employees)
          .where(isIn(employees, workspaceId, id))
      : type === 'CONTACT'
        ? await db
            .select()
            .from(contacts)
            .where(isIn(contacts, workspaceId, id))
        : await db
            .select()
            .from(leads)
            .where(isIn(leads, workspaceId, id))
  if (!row) throw notFound()
  const { firstName, lastName, email } = row
  const more = 'emails' in row ? { emails: row.emails, phones: row.phones } : { emails: [], phones: [] }
  const phone = 'phone' in row ? row.phone : null
  return {
    type,
    id,
    firstName,
    lastName,
    emails: [email, ...more.emails].filter((each) => each !== null),
    phones: [phone, ...more.phones].filter((each) => each !== null),
  }
}

function isIn(table: typeof employees | typeof contacts | typeof leads, workspaceId: string, id: string) {
  return and(eq(table.workspaceId, workspaceId), eq(table.id, id))
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such person' })
}
