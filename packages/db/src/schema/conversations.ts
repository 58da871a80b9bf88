import { sql } from 'drizzle-orm'
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, isTwin, rowId, searchText, stamps, workspaceId } from '../columns.ts'
import { folded } from '../folding.ts'
import { employees, workspaces } from './core.ts'

/** The places where the people of a workspace talk with each other. */
export const channels = pgTable(
  'channels',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    topic: text('topic'),
    isTwin: isTwin(),
    ...stamps(),
    searchText: searchText(sql`name || ' ' || coalesce(topic, '')`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('channels_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
    index('channels_search').using('gin', t.workspaceId, sql`${t.searchText} gin_trgm_ops`),
  ],
)

export const conversations = pgTable(
  'conversations',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    channelId: uuid('channel_id').notNull(),
    subject: text('subject').notNull(),
    lastMessageAt: instant('last_message_at').notNull(),
    ...stamps(),
    searchText: searchText(sql`subject`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('conversations_latest').on(t.workspaceId, t.lastMessageAt, t.id),
    index('conversations_of_channel').on(t.workspaceId, t.channelId, t.lastMessageAt, t.id),
    index('conversations_search').using('gin', t.workspaceId, sql`${t.searchText} gin_trgm_ops`),
    foreignKey({
      columns: [t.workspaceId, t.channelId],
      foreignColumns: [channels.workspaceId, channels.id],
      name: 'conversations_channel',
    }).onDelete('cascade'),
  ],
)

/** The messages of a conversation; they never change. */
export const conversationMessages = pgTable(
  'conversation_messages',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    conversationId: uuid('conversation_id').notNull(),
    authorId: uuid('author_id').notNull(),
    body: text('body').notNull(),
    createdAt: createdAt(),
    searchText: searchText(sql`body`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('conversation_messages_of_conversation').on(t.workspaceId, t.conversationId, t.id),
    index('conversation_messages_search').using('gin', t.workspaceId, sql`${t.searchText} gin_trgm_ops`),
    foreignKey({
      columns: [t.workspaceId, t.conversationId],
      foreignColumns: [conversations.workspaceId, conversations.id],
      name: 'conversation_messages_conversation',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.authorId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'conversation_messages_author',
    }),
  ],
)
