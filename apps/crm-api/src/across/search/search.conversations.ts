import { schema, type Executor, type Scope } from '@crm/db'
import { and, desc, eq, sql } from 'drizzle-orm'
import { findChannel, listChannels, type ChannelRow } from '../../resources/settings/conversations/channels.repository.ts'
import { findConversation, listConversations, listMessages, type ConversationRow } from '../../resources/settings/conversations/conversations.repository.ts'
import { folded } from './search.folding.ts'
import type { Hit, Searchable } from './searchable.ts'
import { bestMatches } from './search.matches.ts'

/** So many conversations of a channel, and so many messages of a conversation, are read with it: the latest ones. */
const conversationsRead = 100
const messagesRead = 500

/** Search over the names and topics of channels. */
export const channelsSearch: Searchable = {
  path: 'conversations/channels',
  find: async ({ db, scopeIfAllowed }, { text }, limit) => {
    const scope = scopeIfAllowed('CONVERSATION')
    if (!scope) return []
    const { channels } = schema
    const { rows } = await db.execute<{ id: string }>(bestMatches(channels, channels, eq(channels.workspaceId, scope.workspaceId), text, limit))
    if (rows.length === 0) return []
    const { items } = await listChannels(db, scope, { ids: rows.map(({ id }) => id) }, { limit, offset: 0 })
    return items.map(channelHit)
  },
  read: async ({ db, scopeIfAllowed }, id) => {
    const scope = scopeIfAllowed('CONVERSATION')
    const channel = scope && (await findChannel(db, scope, id))
    if (!channel) return null
    const { items } = await listConversations(db, scope, { channelId: id }, { limit: conversationsRead, offset: 0 })
    return { ...channelHit(channel), record: { ...channel, latestConversations: items } }
  },
}

function channelHit({ id, name, topic }: ChannelRow): Hit {
  return { id, title: name, snippet: topic ?? '' }
}

/** Search over the subjects of conversations and over what is said in them. */
export const conversationsSearch: Searchable = {
  path: 'conversations',
  find: async ({ db, scopeIfAllowed }, { text }, limit) => {
    const scope = scopeIfAllowed('CONVERSATION')
    if (!scope) return []
    const { conversations } = schema
    const { rows } = await db.execute<{ id: string }>(bestMatches(conversations, conversations, eq(conversations.workspaceId, scope.workspaceId), text, limit))
    const said = await findSaid(db, scope, text, limit)
    const ids = [...new Set([...rows.map(({ id }) => id), ...said.keys()])]
    if (ids.length === 0) return []
    const { items } = await listConversations(db, scope, { ids }, { limit: 2 * limit, offset: 0 })
    return items.map((conversation) => conversationHit(conversation, excerpt(said.get(conversation.id) ?? '', text)))
  },
  read: async ({ db, scopeIfAllowed }, id) => {
    const scope = scopeIfAllowed('CONVERSATION')
    const conversation = scope && (await findConversation(db, scope, id))
    if (!conversation) return null
    const { messages: messageCount, ...record } = conversation
    const messages = (await listMessages(db, scope, id, { limit: messagesRead })).toReversed()
    return { ...conversationHit(conversation, ''), record: { ...record, messageCount, messages } }
  },
}

function conversationHit({ id, subject, channelName }: ConversationRow, said: string): Hit {
  return { id, title: subject, snippet: [`#${channelName}`, said].filter(Boolean).join(' · ') }
}

/** By conversation, the latest of its messages that hold the text; of so many conversations, those that spoke of it last. */
async function findSaid(db: Executor, { workspaceId }: Scope, text: string, limit: number): Promise<ReadonlyMap<string, string>> {
  const { conversationMessages: messages } = schema
  const matching = bestMatches(messages, messages, eq(messages.workspaceId, workspaceId), text, messagesRead)
  const { conversationId, body } = messages
  const rows = await db.select({ conversationId, body }).from(messages).where(and(eq(messages.workspaceId, workspaceId), sql`${messages.id} IN (${matching})`)).orderBy(desc(messages.id))
  const latest = new Map(rows.toReversed().map((row) => [row.conversationId, row.body]))
  const spoken = [...new Set(rows.map((row) => row.conversationId))].slice(0, limit)
  return new Map(spoken.map((id) => [id, latest.get(id) ?? '']))
}

const excerptCharacters = 160
const leadingCharacters = 40

/** The part of a message in which the first word of the text stands, on one line. */
function excerpt(body: string, text: string): string {
  const line = body.replaceAll(/\s+/g, ' ')
  const at = folded(line).indexOf(folded(text.trim().split(/\s+/)[0] ?? ''))
  const from = Math.max(0, at - leadingCharacters)
  const to = from + excerptCharacters
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`
}
