import type { ConversationInput } from '@crm/contract'
import { isAnyOf, newId, schema, type Executor, type Page, type Scope, type Transaction } from '@crm/db'
import { fullName } from '@crm/identity'
import { and, count, desc, eq, lt, or, sql, type SQL } from 'drizzle-orm'
import { searchCondition } from '../../../records/search-terms.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const { channels, conversations, conversationMessages, employees } = schema
const person = {
  id: employees.id,
  firstName: employees.firstName,
  lastName: employees.lastName,
  email: employees.email,
}

type PersonRow = Pick<typeof employees.$inferSelect, keyof typeof person>

/** A person in the form in which conversations name them. */
interface Speaker {
  readonly id: string
  readonly name: string
}

/** A conversation as the console shows it, without its messages. */
export interface ConversationRow extends Omit<typeof conversations.$inferSelect, 'workspaceId' | 'searchText'> {
  readonly channelName: string
  readonly startedBy: Speaker | null
  readonly messages: number
}

/** A message of a conversation. */
export interface MessageRow {
  readonly id: string
  readonly author: Speaker
  readonly body: string
  readonly createdAt: string
}

export interface ConversationFilter {
  readonly channelId?: string
  readonly search?: string
  readonly ids?: readonly string[]
}

/** Returns a page of conversations, those with the latest message first, and the number of matches. */
export async function listConversations(
  db: Executor,
  scope: Scope,
  filter: ConversationFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<Page<ConversationRow>> {
  const where = and(
    eq(conversations.workspaceId, scope.workspaceId),
    filter.channelId ? eq(conversations.channelId, filter.channelId) : undefined,
    filter.ids && isAnyOf(conversations.id, filter.ids),
    mentions(scope, filter.search),
  )
  const [total] = await db.select({ n: count() }).from(conversations).where(where)
  const rows = await selectConversations(db, scope, where)
    .orderBy(desc(conversations.lastMessageAt), desc(conversations.id))
    .limit(page.limit)
    .offset(page.offset)
  return { items: rows.map(toConversation), total: total?.n ?? 0 }
}

/** Returns the condition that the subject or a message contains the text. */
function mentions({ workspaceId }: Scope, search: string | undefined): SQL | undefined {
  const said = searchCondition(search, conversationMessages.searchText)
  if (!said) return undefined
  const inMessages = sql`${conversations.id} IN (SELECT ${conversationMessages.conversationId} FROM ${conversationMessages} WHERE ${conversationMessages.workspaceId} = ${workspaceId} AND ${said})`
  return or(searchCondition(search, conversations.searchText), inMessages)
}

/** Returns one conversation. */
export async function findConversation(db: Executor, scope: Scope, id: string): Promise<ConversationRow | undefined> {
  const [row] = await selectConversations(db, scope, isConversation(scope, id))
  return row && toConversation(row)
}

function selectConversations(db: Executor, { workspaceId }: Scope, where: SQL | undefined) {
  return db
    .select({
      ...shownColumns(conversations, 'conversations'),
      channelName: channels.name,
      startedBy: person,
      messages: sql<number>`(SELECT count(*)::int FROM conversation_messages m WHERE m.workspace_id = ${workspaceId} AND m.conversation_id = conversations.id)`,
    })
    .from(conversations)
    .innerJoin(
      channels,
      and(eq(channels.workspaceId, conversations.workspaceId), eq(channels.id, conversations.channelId)),
    )
    .leftJoin(
      employees,
      and(eq(employees.workspaceId, conversations.workspaceId), eq(employees.id, conversations.createdById)),
    )
    .where(where)
    .$dynamic()
}

function toConversation({
  startedBy,
  ...row
}: Omit<ConversationRow, 'startedBy'> & { readonly startedBy: PersonRow | null }): ConversationRow {
  return { ...row, startedBy: startedBy && toSpeaker(startedBy) }
}

/** Begins a conversation and returns its id; an unknown channel breaks the reference. */
export async function insertConversation(
  tx: Transaction,
  scope: Scope,
  { channelId, subject, body }: ConversationInput,
  at: string,
): Promise<string> {
  const { workspaceId, employeeId } = scope
  const id = newId()
  await tx.insert(conversations).values({
    workspaceId,
    id,
    channelId,
    subject,
    lastMessageAt: at,
    createdById: employeeId,
    createdAt: at,
    updatedAt: at,
  })
  await insertMessage(tx, scope, id, body, at)
  return id
}

/** Adds a message to a conversation and returns its id; undefined where there is no such conversation. */
export async function addMessage(
  tx: Transaction,
  scope: Scope,
  conversationId: string,
  body: string,
  at: string,
): Promise<string | undefined> {
  const latest = sql`greatest(${conversations.lastMessageAt}, ${at})`
  const known = await tx
    .update(conversations)
    .set({ lastMessageAt: latest, updatedAt: at })
    .where(isConversation(scope, conversationId))
    .returning({ id: conversations.id })
  return known.length === 0 ? undefined : insertMessage(tx, scope, conversationId, body, at)
}

async function insertMessage(
  tx: Transaction,
  { workspaceId, employeeId }: Scope,
  conversationId: string,
  body: string,
  at: string,
): Promise<string> {
  const id = newId()
  await tx
    .insert(conversationMessages)
    .values({ workspaceId, id, conversationId, authorId: employeeId, body, createdAt: at })
  return id
}

/** Returns the messages of a conversation, the latest first: the messages before the one with the id `before`, or all. */
export async function listMessages(
  db: Executor,
  scope: Scope,
  conversationId: string,
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<MessageRow[]> {
  const { id } = conversationMessages
  const where = and(eq(conversationMessages.conversationId, conversationId), before ? lt(id, before) : undefined)
  return (await selectMessages(db, scope, where).orderBy(desc(id)).limit(limit)).map(toMessage)
}

/** Returns one message of a conversation. */
export async function findMessage(db: Executor, scope: Scope, messageId: string): Promise<MessageRow | undefined> {
  const [row] = await selectMessages(db, scope, eq(conversationMessages.id, messageId))
  return row && toMessage(row)
}

function selectMessages(db: Executor, { workspaceId }: Scope, where: SQL | undefined) {
  const { id, body, createdAt, authorId } = conversationMessages
  return db
    .select({ id, body, createdAt, author: person })
    .from(conversationMessages)
    .innerJoin(employees, and(eq(employees.workspaceId, conversationMessages.workspaceId), eq(employees.id, authorId)))
    .where(and(eq(conversationMessages.workspaceId, workspaceId), where))
    .$dynamic()
}

function toMessage({ author, ...row }: Omit<MessageRow, 'author'> & { readonly author: PersonRow }): MessageRow {
  return { ...row, author: toSpeaker(author) }
}

function toSpeaker(row: PersonRow): Speaker {
  return { id: row.id, name: fullName(row) }
}

function isConversation({ workspaceId }: Scope, id: string): SQL {
  return and(eq(conversations.workspaceId, workspaceId), eq(conversations.id, id)) as SQL
}
