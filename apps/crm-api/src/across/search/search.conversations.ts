import { isAnyOf, schema, opaque } from '@crm/db'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import {
  findChannel,
  listChannels,
  type ChannelRow,
} from '../../resources/conversations/conversations/channels.repository.ts'
import {
  findConversation,
  listConversations,
  listMessages,
  type ConversationRow,
} from '../../resources/conversations/conversations/conversations.repository.ts'
import { Folding } from '../../records/folding.ts'
import { findMatches, type SearchedRows } from './search.matches.ts'
import { searchTable, type Hit, type Searchable } from './searchable.ts'

/** The number of conversations of a channel, and of messages of a conversation, that are read with it: the latest ones. */
const conversationsRead = 100
const messagesRead = 500
/** The number of messages with a text whose conversations are found. */
const messagesFound = 500

type SearchedTable = typeof schema.channels | typeof schema.conversations | typeof schema.conversationMessages

/** Returns the rows of a table whose rows are visible to everybody who may see conversations. */
function rowsOf(table: SearchedTable, { scopeIfAllowed }: CrmContext): SearchedRows | null {
  const scope = scopeIfAllowed('CONVERSATION')
  const present = scope && eq(table.workspaceId, opaque(scope.workspaceId))
  return present && { table, columns: table, newestFirst: sql`${table.id} DESC`, present, seen: present }
}

/** Search over the names and topics of channels. */
export const channelsSearch: Searchable = searchTable({
  path: 'conversations/channels',
  rows: (context) => rowsOf(schema.channels, context),
  hits: async ({ db, scope, workspace: { locale } }, ids) =>
    (await listChannels(db, scope('CONVERSATION'), { ids }, { limit: ids.length, offset: 0, locale })).items.map(
      channelHit,
    ),
  read: async ({ db, scopeIfAllowed }, id) => {
    const scope = scopeIfAllowed('CONVERSATION')
    const channel = scope && (await findChannel(db, scope, id))
    if (!channel) return null
    const { items } = await listConversations(db, scope, { channelId: id }, { limit: conversationsRead, offset: 0 })
    return { ...channelHit(channel), record: { ...channel, latestConversations: items } }
  },
})

function channelHit({ id, name, topic }: ChannelRow): Hit {
  return { id, title: name, snippet: topic ?? '' }
}

const bySubject = searchTable({
  path: 'conversations',
  rows: (context) => rowsOf(schema.conversations, context),
  hits: async ({ db, scope }, ids) =>
    (await listConversations(db, scope('CONVERSATION'), { ids }, { limit: ids.length, offset: 0 })).items.map((one) =>
      conversationHit(one, ''),
    ),
  read: async ({ db, scopeIfAllowed }, id) => {
    const scope = scopeIfAllowed('CONVERSATION')
    const conversation = scope && (await findConversation(db, scope, id))
    if (!conversation) return null
    const { messages: messageCount, ...record } = conversation
    const messages = (await listMessages(db, scope, id, { limit: messagesRead })).toReversed()
    return { ...conversationHit(conversation, ''), record: { ...record, messageCount, messages } }
  },
})

/** Search over the subjects and the messages of conversations. */
export const conversationsSearch: Searchable = {
  ...bySubject,
  find: async (asked) => {
    const { context, text, limit } = asked
    const rows = rowsOf(schema.conversationMessages, context)
    if (!rows) return { hits: [], isPartial: false }
    const bySubjects = await bySubject.find(asked)
    const messages = await findMatches(rows, { ...asked, limit: messagesFound })
    const said = await latestSaid(context, messages.ids)
    const ids = new Set([...bySubjects.hits.map(({ id }) => id), ...[...said.keys()].slice(0, limit)])
    const { items } =
      ids.size === 0
        ? { items: [] }
        : await listConversations(
            context.db,
            context.scope('CONVERSATION'),
            { ids: [...ids] },
            { limit: ids.size, offset: 0 },
          )
    const lines = new Map(items.map(({ id }) => [id, (said.get(id) ?? '').replaceAll(/\s+/g, ' ')]))
    const folding = new Folding(context.db)
    await folding.learn([text, ...lines.values()])
    const hits = items.map((conversation) =>
      conversationHit(conversation, excerpt(lines.get(conversation.id) ?? '', text, folding)),
    )
    return { hits, isPartial: bySubjects.isPartial || messages.isPartial }
  },
}

function conversationHit({ id, subject, channelName }: ConversationRow, said: string): Hit {
  return { id, title: subject, snippet: [`#${channelName}`, said].filter(Boolean).join(' · ') }
}

/** Returns the latest of these messages by conversation; the conversations with the latest messages come first. */
async function latestSaid({ db, workspace }: CrmContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { id, workspaceId, conversationId, body } = schema.conversationMessages
  const rows = await db
    .select({ conversationId, body })
    .from(schema.conversationMessages)
    .where(and(eq(workspaceId, workspace.id), isAnyOf(id, ids)))
    .orderBy(desc(id))
  return new Map(
    Map.groupBy(rows, (row) => row.conversationId)
      .entries()
      .map(([of, [latest]]) => [of, latest?.body ?? '']),
  )
}

const excerptCharacters = 160
const leadingCharacters = 40

/** Returns the part of a line around the first word of the text. */
function excerpt(line: string, text: string, folding: Folding): string {
  const folded = folding.fold(line)
  const at = folded.from[folded.text.indexOf(folding.fold(text.trim().split(/\s+/)[0] ?? '').text)] ?? 0
  const from = Math.max(0, at - leadingCharacters)
  const to = from + excerptCharacters
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`
}
