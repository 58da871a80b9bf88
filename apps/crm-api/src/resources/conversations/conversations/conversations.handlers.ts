import { conversations, success } from '@crm/contract'
import type { Executor, Scope } from '@crm/db'
import { ApiError } from '@crm/errors'
import { implement } from '../../../platform/context.ts'
import { cursorPage, readCursor } from '../../../records/cursors.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import {
  addMessage,
  findConversation,
  findMessage,
  insertConversation,
  listConversations,
  listMessages,
  type ConversationRow,
} from './conversations.repository.ts'

export const implementedConversations = implement(conversations, {
  list: async ({ query }, { db, scope }) =>
    pageOf(
      await listConversations(db, scope('CONVERSATION'), query, { limit: query.pageSize, offset: offsetOf(query) }),
      query,
    ),

  get: async ({ params }, { db, scope }) => success(await requireConversation(db, scope('CONVERSATION'), params.id)),

  create: async ({ body }, context) =>
    context.transact(async (tx) => {
      const scope = context.scope('CONVERSATION')
      return success(await requireConversation(tx, scope, await insertConversation(tx, scope, body, context.at)))
    }),

  messages: async ({ params, query }, { db, scope: scopeOf }) => {
    const scope = scopeOf('CONVERSATION')
    await requireConversation(db, scope, params.id)
    const rows = await listMessages(db, scope, params.id, {
      before: query.cursor && readCursor(query.cursor),
      limit: query.limit + 1,
    })
    return cursorPage(rows, query.limit, (message) => message)
  },

  say: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const scope = context.scope('CONVERSATION')
      const id = await addMessage(tx, scope, params.id, body.body, context.at)
      const message = id && (await findMessage(tx, scope, id))
      if (!message) throw unknownConversation()
      return success(message)
    }),
})

async function requireConversation(db: Executor, scope: Scope, id: string): Promise<ConversationRow> {
  const conversation = await findConversation(db, scope, id)
  if (!conversation) throw unknownConversation()
  return conversation
}

function unknownConversation(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such conversation' })
}
