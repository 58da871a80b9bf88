import { channels, success } from '@crm/contract'
import type { Executor, Scope, Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit } from '../../../records/audit.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import {
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  updateChannel,
  type ChannelRow,
} from './channels.repository.ts'

export const implementedChannels = implement(channels, {
  list: async ({ query }, { db, scope, workspace }) =>
    pageOf(
      await listChannels(db, scope('CONVERSATION'), query, {
        limit: query.pageSize,
        offset: offsetOf(query),
        locale: workspace.locale,
      }),
      query,
    ),

  get: async ({ params }, { db, scope }) => success(await requireChannel(db, scope('CONVERSATION'), params.id)),

  create: async ({ body }, context) =>
    context.transact(async (tx) => {
      const scope = context.scope('CONVERSATION')
      const channel = await requireChannel(tx, scope, await insertChannel(tx, scope, body, context.at))
      await trace(tx, context, 'channel.created', channel)
      return success(channel)
    }),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const scope = context.scope('CONVERSATION')
      await updateChannel(tx, scope, params.id, body, context.at)
      const channel = await requireChannel(tx, scope, params.id)
      await trace(tx, context, 'channel.changed', channel)
      return success(channel)
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const scope = context.scope('CONVERSATION')
      const channel = await requireChannel(tx, scope, params.id)
      await deleteChannel(tx, scope, params.id)
      await trace(tx, context, 'channel.deleted', channel)
      return success({ id: params.id })
    }),
})

async function requireChannel(db: Executor, scope: Scope, id: string): Promise<ChannelRow> {
  const channel = await findChannel(db, scope, id)
  if (!channel) throw new ApiError('NOT_FOUND', { message: 'There is no such channel' })
  return channel
}

async function trace(
  tx: Transaction,
  context: CrmContext,
  action: string,
  { id, name, conversations }: ChannelRow,
): Promise<void> {
  await audit(tx, context, {
    action,
    subjectType: 'CHANNEL',
    subjectId: id,
    summary: `Channel ${name}`,
    data: { conversations },
  })
}
