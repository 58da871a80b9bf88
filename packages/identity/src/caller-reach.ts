import { covers, reachWithin, type Reach } from '@crm/permissions'
import type { Caller } from './caller.ts'

/** Returns the reach of a caller's person, whatever the credential. */
export function reachOfCaller({ employee: { id, departmentId }, departmentTreeIds, owned, levels }: Caller): Reach {
  return reachWithin({ id, departmentId, departmentTree: new Set(departmentTreeIds) }, owned, levels)
}

/** Whether a person reaches everything that another one does. */
export function coversCaller(mine: Caller, theirs: Caller): boolean {
  return covers(reachOfCaller(mine), reachOfCaller(theirs))
}
