import { kindEntities } from '@crm/model'
import * as z from 'zod'
import { byId, email, entityTypeName, id, recordFields, requiredText } from '../fields.ts'
import { cursorList, pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, standard } from '../standard.ts'
import { via } from '../via.ts'

/** The built-in entity types with comments and a timeline; custom entities have them too. */
export const commentedEntities = kindEntities
export type CommentedEntity = (typeof commentedEntities)[number]

export const visibilities = ['INTERNAL', 'SHARED'] as const

const entityType = entityTypeName.meta({ description: `${commentedEntities.join(', ')} or that of a custom entity` })

const author = z.object({
  type: z.enum(['EMPLOYEE', 'EXTERNAL']),
  id: id.nullable(),
  name: z.string(),
  email: z.string().nullable(),
})

export const comment = z.object({
  ...recordFields,
  entityType: z.string(),
  entityId: id,
  body: z.string(),
  visibility: z.enum(visibilities),
  author,
  externalSource: z.string().nullable(),
  externalId: z.string().nullable(),
  parentId: id.nullable(),
  mentions: z.array(id),
  fileIds: z.array(id),
})

/** Declares the answer about a comment that was written: whom it mentions in vain stands beside it. */
export function writtenReply<const Status extends number>(status: Status) {
  return {
    status,
    body: z.object({
      success: z.literal(true),
      data: comment,
      notReached: z.array(id).meta({ description: 'The mentioned people who do not see the record, and are not told' }),
    }),
  } as const
}

const written = {
  body: requiredText(10_000),
  visibility: z.enum(visibilities).default('INTERNAL'),
  author: z.strictObject({ type: z.literal('EXTERNAL'), name: requiredText(200), email: email.optional() }).optional(),
  externalSource: requiredText(100).optional(),
  externalId: requiredText(200).optional(),
  parentId: id.optional(),
  mentions: z.array(id).max(50).default([]),
  fileIds: z.array(id).max(50).default([]),
}

const isPaired = (body: { externalSource?: string; externalId?: string }) =>
  (body.externalSource === undefined) === (body.externalId === undefined)
const pairRule = { message: 'externalSource and externalId go together', path: ['externalId'] }

const commentInput = z.strictObject({ entityType, entityId: id, ...written }).refine(isPaired, pairRule)
export type CommentInput = z.output<typeof commentInput>

const ofVisibility = { visibility: z.enum(visibilities).optional() }

/** The operations on comments of a record that the path names. */
export const writtenComment = {
  input: z.strictObject(written).refine(isPaired, pairRule),
  list: pagedList(comment, usualPages, ofVisibility),
} as const

const commentPatch = z.strictObject({
  body: requiredText(10_000).optional(),
  visibility: z.enum(visibilities).optional(),
  mentions: z.array(id).max(50).optional(),
})

/** The access to comments and timeline: the permission of the record's kind. */
export const byRecord = { record: commentedEntities.map((entity) => `VIEW_${entity}` as const) }
const ofRecord = { entityType, entityId: id }

export const comments = resource({ name: 'crm.comments', entity: 'COMMENT' }, null, {
  ...standard({
    path: '/api/crm/comments',
    noun: 'comment',
    plural: 'the comments on a record, newest first',
    record: comment,
    create: commentInput,
    update: commentPatch,
    list: pagedList(comment, usualPages, { ...ofRecord, ...ofVisibility }),
    access: { view: byRecord, create: byRecord, update: byRecord, delete: byRecord },
  }),
  create: {
    method: 'POST',
    path: '/api/crm/comments',
    summary: 'Comment on a record',
    description:
      'A comment from outside carries author, externalSource and externalId; the same pair again answers the first comment (200).',
    access: byRecord,
    body: commentInput,
    reply: { ...writtenReply(201), also: writtenReply(200) },
    idempotent: true,
  },
  update: {
    method: 'PATCH',
    path: '/api/crm/comments/{id}',
    summary: 'Change a comment of your own',
    access: byRecord,
    params: byId,
    body: commentPatch,
    reply: writtenReply(200),
    errors: ['ACCESS_DENIED'],
  },
  delete: {
    method: 'DELETE',
    path: '/api/crm/comments/{id}',
    summary: 'Delete a comment of your own',
    access: byRecord,
    params: byId,
    reply: data(200, z.object({ id })),
    errors: ['ACCESS_DENIED'],
  },
})

export const timelineKinds = [
  'CREATED',
  'UPDATED',
  'DELETED',
  'RESTORED',
  'STATUS_CHANGED',
  'STAGE_CHANGED',
  'OWNER_CHANGED',
  'CONVERTED',
  'MERGED',
  'NOTE_ADDED',
  'COMMENT_ADDED',
  'CALL_LOGGED',
  'EMAIL_SENT',
  'EMAIL_FAILED',
  'MEETING_SCHEDULED',
  'MEETING_RESCHEDULED',
  'MEETING_CANCELLED',
  'TASK_ADDED',
  'TASK_COMPLETED',
  'FILE_ADDED',
  'FILE_REMOVED',
  'QUOTE_SENT',
  'QUOTE_ACCEPTED',
  'QUOTE_DECLINED',
  'INVOICE_ISSUED',
  'INVOICE_SENT',
  'PAYMENT_RECORDED',
  'PAYMENT_REVERSED',
  'BOOKING_CREATED',
  'WORKFLOW_RUN',
] as const

export const changeSources = ['UI', 'API', 'MCP', 'IMPORT', 'WORKFLOW', 'BOOKING', 'SYSTEM'] as const

/** The most objects that an entry of a history names, and the most lines of a text that it quotes. */
export const entryLinksMax = 50
export const entryQuoteLines = 4

const entryLink = z.object({
  entityType: z.string().meta({ description: 'That of a record, or EMPLOYEE, STAGE, LEAD_SOURCE, …' }),
  id,
  title: z.string().nullable().meta({ description: 'null for a call without a subject' }),
})
export type EntryLink = z.output<typeof entryLink>

/** One entry of the history of a record. */
export const timelineEntry = z.object({
  id,
  groupId: id.nullable().meta({
    description: 'Entries of one operation have the same: a request, a conversion, a merge, a bulk change, an import',
  }),
  entityType,
  entityId: id,
  title: z.string().meta({ description: 'The title of the record' }),
  kind: z.enum(timelineKinds),
  occurredAt: z.string(),
  actor: z.object({ type: z.enum(['EMPLOYEE', 'EXTERNAL', 'SYSTEM']), id: id.nullable(), name: z.string() }),
  via,
  source: z.enum(changeSources),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
  data: z.record(z.string(), z.unknown()),
  relatedType: z.string().nullable(),
  relatedId: id.nullable(),
  links: z.array(entryLink).max(entryLinksMax).meta({
    description: 'Whatever the entry names besides its record, as far as you may see it',
  }),
  quote: z
    .string()
    .nullable()
    .meta({ description: 'The first lines of a note, a comment, an email, the result of a call' }),
})
export type ShownTimelineEntry = z.output<typeof timelineEntry>

export const timeline = resource('crm.timeline', null, {
  list: {
    method: 'GET',
    path: '/api/crm/timeline',
    summary: 'List the history of a record, newest first',
    access: byRecord,
    ...cursorList(timelineEntry, {
      ...ofRecord,
      kind: z.enum(timelineKinds).optional(),
      viaId: id.optional(),
    }),
  },
})
