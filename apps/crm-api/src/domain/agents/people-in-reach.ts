import { readRights } from '@crm/db'
import { covers, reachIn } from '@crm/permissions'
import type { CrmContext } from '../../platform/context.ts'

/** Returns the caller, and those of some people whom the caller reaches. */
export async function peopleInReach(
  { db, workspace, caller }: Pick<CrmContext, 'db' | 'workspace' | 'caller'>,
  people: readonly string[],
): Promise<readonly string[]> {
  const mine = caller.employee.id
  const others = people.filter((id) => id !== mine)
  if (others.length === 0) return [mine]
  const rights = await readRights(db, workspace.id, [mine, ...others])
  const own = reachIn(rights, mine)
  return [mine, ...others.filter((id) => covers(own, reachIn(rights, id)))]
}
