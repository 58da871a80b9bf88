import { presence, success } from '@crm/contract'
import { isAnyOf, schema, type Executor } from '@crm/db'
import { workspaceTag } from '@crm/redis'
import { and, asc, eq } from 'drizzle-orm'
import { keyOf, linkOf, requireSeen } from '../../kinds/in-sight.ts'
import { implement, type CrmContext } from '../../platform/context.ts'
import { shownName } from '../../records/person-names.ts'

const { employees } = schema

export const implementedPresence = implement(presence, {
  tell: async (asked, context) => {
    const place = await requirePlace(asked, context)
    const { others } = await context.deps.presence.enter(place, context.caller.employee.id)
    return success({ others: await readPeople(context.db, context.workspace.id, others) })
  },

  leave: async (asked, context) => {
    await context.deps.presence.leave(await requirePlace(asked, context), context.caller.employee.id)
    return success({ left: true as const })
  },
})

async function requirePlace(asked: Parameters<typeof linkOf>[0], context: CrmContext): Promise<string> {
  const link = linkOf(asked)
  await requireSeen(context.db, context, link)
  return `${workspaceTag(context.workspace.id)}:${keyOf(link)}`
}

function readPeople(db: Executor, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .select({ id: employees.id, name: shownName })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), isAnyOf(employees.id, ids), eq(employees.status, 'ACTIVE')))
    .orderBy(asc(shownName), asc(employees.id))
}
