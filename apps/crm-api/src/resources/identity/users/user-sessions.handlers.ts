import { success, userSessions } from '@crm/contract'
import { ApiError } from '@crm/errors'
import { fullName } from '@crm/identity'
import { readPerson, type Person } from '../../../domain/sign-in/people.repository.ts'
import { endSessionsNoted, readSessions, type SessionChoice } from '../../../domain/sign-in/sessions.repository.ts'
import { implement, type CrmContext } from '../../../platform/context.ts'

export const implementedUserSessions = implement(userSessions, {
  list: async ({ params }, context) => {
    await requirePerson(context, params.id)
    return { data: await readSessions(context.db, context, params.id) }
  },

  deleteAll: async ({ params }, context) => success({ endedSessions: await end(context, { employeeId: params.id }) }),

  delete: async ({ params }, context) => {
    if ((await end(context, { employeeId: params.id, id: params.sessionId })) === 0)
      throw new ApiError('NOT_FOUND', { message: 'There is no such session' })
    return success({ id: params.sessionId })
  },
})

async function requirePerson({ db, workspace }: CrmContext, id: string): Promise<Person> {
  const person = await readPerson(db, workspace.id, id)
  if (!person) throw new ApiError('NOT_FOUND', { message: 'There is no such user' })
  return person
}

async function end(context: CrmContext, choice: SessionChoice): Promise<number> {
  const person = await requirePerson(context, choice.employeeId)
  return endSessionsNoted(context, choice, { id: person.id, name: fullName(person) })
}
