import * as z from 'zod'
import { byId, id, instant, recordFields, requiredText, text } from '../../fields.ts'
import { cursorList, pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data, reachesNothing, standard } from '../../standard.ts'

const talking = { all: ['VIEW_CONVERSATION'] } as const
const arranging = { all: ['VIEW_CONVERSATION', 'MANAGE_WORKSPACE'] } as const

const search = z.string().max(200).optional()

const channel = z.object({
  ...recordFields,
  name: z.string(),
  topic: z.string().nullable(),
  conversations: z.int().meta({ description: 'How many there are' }),
})

const channelInput = z.strictObject({ name: requiredText(100), topic: text(500).optional() })
export type ChannelInput = z.output<typeof channelInput>
const channelPatch = channelInput.partial()
export type ChannelPatch = z.output<typeof channelPatch>

const channelOperations = standard({
  path: '/api/settings/channels',
  noun: 'channel',
  plural: 'channels',
  record: channel,
  create: channelInput,
  update: channelPatch,
  list: pagedList(channel, usualPages, { search }),
  access: { view: talking, create: arranging, update: arranging, delete: arranging },
  reach: reachesNothing,
})

/** The channels in which people of a workspace talk: search finds them, but the public API does not offer them (docs/guide/records.md). */
export const channels = settingsResource('settings.channels', {
  ...channelOperations,
  create: { ...channelOperations.create, errors: ['NAME_TAKEN'] },
  update: { ...channelOperations.update, errors: ['NAME_TAKEN'] },
  delete: { ...channelOperations.delete, description: 'Its conversations go with it.' },
})

const employee = z.object({ id, name: z.string() })

const conversation = z.object({
  ...recordFields,
  channelId: id,
  channelName: z.string(),
  subject: z.string(),
  startedBy: employee.nullable(),
  lastMessageAt: instant,
  messages: z.int().meta({ description: 'How many there are' }),
})

const message = z.object({ id, author: employee, body: z.string(), createdAt: instant })
const messageBody = requiredText(4_000)

/** A channel with its latest conversations, as search reads it. */
export const channelInFull = channel.extend({ latestConversations: z.array(conversation) })

/** A conversation with its messages, as search reads it. */
export const conversationInFull = conversation.extend({ messageCount: z.int(), messages: z.array(message) })

const newConversation = z.strictObject({
  channelId: id,
  subject: requiredText(200),
  body: messageBody.meta({ description: 'The first message' }),
})
export type ConversationInput = z.output<typeof newConversation>

/** The conversations in the channels, and their messages. */
export const conversations = settingsResource('settings.conversations', {
  list: {
    method: 'GET',
    path: '/api/settings/conversations',
    summary: 'List conversations, those with the latest message first',
    access: talking,
    reach: 'none',
    ...pagedList(conversation, usualPages, { channelId: id.optional(), search }),
  },
  get: {
    method: 'GET',
    path: '/api/settings/conversations/{id}',
    summary: 'Read a conversation',
    access: talking,
    reach: 'none',
    params: byId,
    reply: data(200, conversation),
  },
  create: {
    method: 'POST',
    path: '/api/settings/conversations',
    summary: 'Begin a conversation with its first message',
    access: talking,
    reach: 'none',
    body: newConversation,
    reply: data(201, conversation),
  },
  messages: {
    method: 'GET',
    path: '/api/settings/conversations/{id}/messages',
    summary: 'List the messages of a conversation, the latest first',
    access: talking,
    reach: 'none',
    params: byId,
    ...cursorList(message, {}),
  },
  say: {
    method: 'POST',
    path: '/api/settings/conversations/{id}/messages',
    summary: 'Say something in a conversation',
    access: talking,
    reach: 'none',
    params: byId,
    body: z.strictObject({ body: messageBody }),
    reply: data(201, message),
  },
})
