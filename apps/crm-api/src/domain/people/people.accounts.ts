import { fieldChanges, schema, type PeopleTransaction, type Transaction } from '@crm/db'
import { invalidReference } from '@crm/errors'
import { fullName } from '@crm/identity'
import { and, eq } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { withUniqueFields } from '../../records/unique.ts'
import { tellOfPerson, type EmployeeRow } from './people.records.ts'
import { replaceRoles } from './people.roles.ts'

const { employees, departments } = schema

/** The fields of people that are unique in a workspace, by their index. */
export const uniqueAccountFields = { employees_email: 'email' }

/** A new account. */
export type NewAccount = Pick<EmployeeRow, 'id' | 'email' | 'passwordHash'> &
  Partial<
    Pick<EmployeeRow, 'kind' | 'firstName' | 'lastName' | 'departmentId' | 'managerId' | 'timezone' | 'status'>
  > & { readonly roleIds: readonly string[] }

/**
 * Creates an account with its roles, writes it down and tells rules and workflows. The caller of the context is its author.
 * Throws NAME_TAKEN and INVALID_REFERENCE.
 */
export async function createAccount(tx: PeopleTransaction, context: CrmContext, account: NewAccount): Promise<void> {
  const { roleIds, passwordHash, ...fields } = account
  const { id, email, firstName = null, lastName = null } = fields
  await requireReferences(tx, context, fields)
  const values = {
    ...fields,
    passwordHash,
    workspaceId: context.workspace.id,
    createdById: context.caller.employee.id,
    createdAt: context.at,
    updatedAt: context.at,
  }
  await withUniqueFields(uniqueAccountFields, () => tx.insert(employees).values(values))
  await replaceRoles(tx, context, id, roleIds)
  await audit(tx, context, {
    action: 'user.created',
    subjectType: 'EMPLOYEE',
    subjectId: id,
    summary: `Added ${fullName({ firstName, lastName, email })}`,
    changes: fieldChanges({}, { ...fields, id: undefined, roleIds }),
    data: { roleIds },
  })
  await tellOfPerson(tx, context, 'employee.created', id)
}

/** Refuses a department or a manager that is not in the workspace; the department is locked, so that it is not deleted meanwhile. */
export async function requireReferences(
  tx: Transaction,
  { workspace }: Pick<CrmContext, 'workspace'>,
  { departmentId, managerId }: { readonly departmentId?: string | null; readonly managerId?: string | null },
): Promise<void> {
  if (departmentId) {
    const found = await tx
      .select({ id: departments.id })
      .from(departments)
      .where(and(eq(departments.workspaceId, workspace.id), eq(departments.id, departmentId)))
      .for('key share')
    if (found.length === 0) throw invalidReference('departmentId')
  }
  if (managerId) {
    const found = await tx
      .select({ id: employees.id })
      .from(employees)
      .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, managerId)))
    if (found.length === 0) throw invalidReference('managerId')
  }
}
