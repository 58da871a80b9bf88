/** Whose records a page shows: one's own, those of one's team, all, or those of a person by their id. */
export type Whose = 'mine' | 'team' | 'all' | (string & {})

/** The parameters that narrow a list to people. */
export interface Narrowed {
  readonly ownerId?: string
  readonly departmentId?: string
}

/** Returns the same for tasks, which somebody is to do who need not own them. */
export function ofAssignee({ ownerId, departmentId }: Narrowed): {
  readonly assigneeId?: string
  readonly departmentId?: string
} {
  if (ownerId !== undefined) return { assigneeId: ownerId }
  return departmentId === undefined ? {} : { departmentId }
}
