import { newId, schema, subquery, type Transaction } from '@crm/db'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { PictureKind } from './picture-kind.ts'

const { employeePictures, employees } = schema

/** Whose picture it is. */
export interface PictureOwner {
  readonly workspaceId: string
  readonly employeeId: string
}

/** The address of the picture of a row of employees of a workspace; null without one. */
export const pictureUrl = (workspaceId: string) =>
  subquery<string | null>(
    sql`SELECT '/api/employees/' || p.employee_id || '/picture/' || p.version FROM employee_pictures p WHERE p.workspace_id = ${workspaceId} AND p.employee_id = ${employees.id}`,
  )

/** Removes the picture of a person; false when there was none. */
export async function deletePicture(tx: Transaction, owner: PictureOwner): Promise<boolean> {
  const { rowCount } = await tx.delete(employeePictures).where(isOf(owner))
  return rowCount === 1
}

/** Writes the picture of a person, under an address that no picture had before. */
export async function writePicture(
  tx: Transaction,
  owner: PictureOwner,
  { mediaType, bytes, at }: Pick<PictureKind, 'mediaType'> & { readonly bytes: Buffer; readonly at: string },
): Promise<void> {
  const picture = { version: newId(), mediaType, size: bytes.length, bytes, createdAt: at }
  await tx
    .insert(employeePictures)
    .values({ ...owner, ...picture })
    .onConflictDoUpdate({ target: [employeePictures.workspaceId, employeePictures.employeeId], set: picture })
}

function isOf({ workspaceId, employeeId }: PictureOwner): SQL {
  return and(eq(employeePictures.workspaceId, workspaceId), eq(employeePictures.employeeId, employeeId)) as SQL
}
