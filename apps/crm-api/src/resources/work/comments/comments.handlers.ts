import { comments, StatusReply, success, type CommentInput } from '@crm/contract'
import { recordChange, schema, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidField, invalidReference } from '@crm/errors'
import { and, eq } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { customKind } from '../../../records/custom-kinds.ts'
import { findHolders, isReachable } from '../../../records/owned/repository.ts'
import { hiddenFrom } from '../../../kinds/in-sight.ts'
import { kindOf, resolveKind } from '../../../kinds/kinds.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import { tell, type Notice } from '../../../records/notices.ts'
import { requireVisibleFiles } from '../../../domain/files/files.visibility.ts'
import {
  deleteComment,
  findComment,
  insertComment,
  listComments,
  updateComment,
  type CommentRow,
} from './comments.repository.ts'

export const implementedComments = implement(comments, {
  list: async ({ query }, context) => {
    if (!(await resolveKind(context.db, context, query.entityType)))
      throw context.refuse('INVALID_QUERY_PARAM', { details: { param: 'entityType', message: noSuchType } })
    return listCommentsOn(context, query, query)
  },

  get: async ({ params }, context) => success(toRecord(await requireComment(context.db, context, params.id))),

  create: async ({ body }, context) => createComment(context, body),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const before = await requireOwnComment(tx, context, params.id)
      await requireMentions(tx, context.workspace.id, body.mentions ?? [])
      const after = await updateComment(tx, context.workspace.id, params.id, { ...body, updatedAt: context.at })
      await tellMentioned(tx, context, after, before.mentions)
      return withReach(context, toRecord(after))
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      await requireOwnComment(tx, context, params.id)
      await deleteComment(tx, context.workspace.id, params.id)
      return success({ id: params.id })
    }),
})

const noSuchType = 'There is no such entity type'

/** A record that has comments. */
interface Commented {
  readonly entityType: string
  readonly entityId: string
}

/** Returns a page of the comments on a record that the caller may see. */
export async function listCommentsOn(
  context: CrmContext,
  record: Commented,
  query: { readonly page: number; readonly pageSize: number; readonly visibility?: 'INTERNAL' | 'SHARED' },
) {
  await requireRecord(context.db, context, record)
  const asked = { entityType: record.entityType, entityId: record.entityId, visibility: query.visibility }
  const page = await listComments(context.db, context.workspace.id, asked, {
    limit: query.pageSize,
    offset: offsetOf(query),
  })
  return pageOf({ items: page.items.map(toRecord), total: page.total }, query)
}

/** Comments on a record that the caller may see; a comment from outside that already exists is answered unchanged (200). */
export async function createComment(context: CrmContext, body: CommentInput) {
  const { author, ...fields } = body
  const { workspace, caller, at } = context
  const outcome = await context.transact(async (tx) => {
    if (!(await resolveKind(tx, context, body.entityType))) throw invalidField('entityType', noSuchType)
    await requireRecord(tx, context, body)
    await requireReferences(tx, context, body)
    const values = {
      ...fields,
      ...authorColumns(author, caller.employee),
      createdById: caller.employee.id,
      createdAt: at,
      updatedAt: at,
    }
    const { comment, isNew } = await insertComment(tx, workspace.id, values)
    if (!isNew) await requireRecord(tx, context, comment)
    else {
      await traceComment(tx, context, comment)
      await tellMentioned(tx, context, comment)
      await tellAnswered(tx, context, comment)
    }
    return { record: toRecord(comment), isNew }
  })
  const answer = await withReach(context, outcome.record)
  return outcome.isNew ? answer : new StatusReply(200, answer)
}

/** Wraps a written comment for the wire, with the mentioned people whom it does not reach. */
async function withReach(context: CrmContext, record: ReturnType<typeof toRecord>) {
  const mentioned = record.mentions.filter((id) => id !== context.caller.employee.id)
  return { ...success(record), notReached: [...(await hiddenFrom(context, record, mentioned))] }
}

/** Returns the commented record, which must be within the caller's sight; otherwise the requested object counts as missing. */
async function requireRecord(
  db: Executor,
  context: CrmContext,
  { entityType, entityId }: Commented,
  asked: 'record' | 'comment' = 'record',
): Promise<void> {
  const kind = await resolveKind(db, context, entityType)
  if (kind && (await isReachable(db, kind, context.scope(entityType), entityId))) return
  throw new ApiError('NOT_FOUND', { message: `There is no such ${asked}` })
}

async function requireComment(db: Executor, context: CrmContext, id: string): Promise<CommentRow> {
  const comment = await findComment(db, context.workspace.id, id)
  if (!comment) throw new ApiError('NOT_FOUND', { message: 'There is no such comment' })
  await requireRecord(db, context, comment, 'comment')
  return comment
}

async function requireOwnComment(tx: Transaction, context: CrmContext, id: string): Promise<CommentRow> {
  const comment = await requireComment(tx, context, id)
  if (comment.createdById === context.caller.employee.id) return comment
  throw new ApiError('ACCESS_DENIED', { message: 'Only the author of a comment changes it' })
}

async function requireReferences(
  tx: Transaction,
  context: CrmContext,
  body: {
    entityType: string
    entityId: string
    parentId?: string
    mentions: readonly string[]
    fileIds: readonly string[]
  },
): Promise<void> {
  if (body.parentId) {
    const parent = await findComment(tx, context.workspace.id, body.parentId)
    if (!parent || parent.entityType !== body.entityType || parent.entityId !== body.entityId)
      throw invalidReference('parentId')
  }
  await requireMentions(tx, context.workspace.id, body.mentions)
  await requireVisibleFiles(tx, context, body.fileIds, 'fileIds')
}

async function requireMentions(tx: Transaction, workspaceId: string, mentions: readonly string[]): Promise<void> {
  for (const id of mentions) {
    const rows = await tx
      .select({ id: schema.employees.id })
      .from(schema.employees)
      .where(and(eq(schema.employees.workspaceId, workspaceId), eq(schema.employees.id, id)))
    if (rows.length === 0) throw invalidReference('mentions')
  }
}

/** Notifies the mentioned people, except those who were mentioned before. */
async function tellMentioned(
  tx: Transaction,
  context: CrmContext,
  comment: CommentRow,
  before: readonly string[] = [],
): Promise<void> {
  const mentioned = new Set(comment.mentions)
  for (const id of [...before, context.caller.employee.id]) mentioned.delete(id)
  const text = `${comment.authorName} mentioned you in a note`
  await tell(
    tx,
    { workspaceId: context.workspace.id, at: context.at },
    [...mentioned].map((employeeId) => ({ ...noticeOf(context, comment), kind: 'mention', text, employeeId })),
  )
}

/** Notifies the author of the comment that is answered; a mention in the answer says it already. */
async function tellAnswered(tx: Transaction, context: CrmContext, comment: CommentRow): Promise<void> {
  const { workspace, caller, at } = context
  const parent = comment.parentId === null ? undefined : await findComment(tx, workspace.id, comment.parentId)
  const employeeId = parent?.authorId
  if (!employeeId || employeeId === caller.employee.id || comment.mentions.includes(employeeId)) return
  const text = `${comment.authorName} replied to your note`
  await tell(tx, { workspaceId: workspace.id, at }, [
    { ...noticeOf(context, comment), kind: 'reply', text, employeeId },
  ])
}

function noticeOf(
  { actor: { via } }: Pick<CrmContext, 'actor'>,
  { id, entityType, entityId, authorId, authorName }: CommentRow,
): Omit<Notice, 'employeeId' | 'kind' | 'text'> {
  return { entityType, entityId, data: { commentId: id, actor: { id: authorId, name: authorName }, via } }
}

function authorColumns(
  external: { name: string; email?: string } | undefined,
  employee: { id: string; name: string; email: string },
) {
  return external
    ? {
        authorType: 'EXTERNAL' as const,
        authorId: null,
        authorName: external.name,
        authorEmail: external.email ?? null,
      }
    : { authorType: 'EMPLOYEE' as const, authorId: employee.id, authorName: employee.name, authorEmail: employee.email }
}

/** Writes the history and event of a new comment. */
export async function traceComment(
  tx: Transaction,
  { workspace, actor, at, groupId }: Pick<CrmContext, 'workspace' | 'actor' | 'at' | 'groupId'>,
  comment: CommentRow,
): Promise<void> {
  const of = { entityType: comment.entityType, entityId: comment.entityId }
  const kind = kindOf(of.entityType) ?? customKind(of.entityType)
  const held = (await findHolders(tx, kind, workspace.id, [of.entityId])).get(of.entityId)
  // Automation learns of a comment only where it may see the commented record.
  const subject = { ...of, ...held?.holders }
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    groupId,
    timeline: [
      {
        ...of,
        kind: 'COMMENT_ADDED',
        data: { visibility: comment.visibility },
        relatedType: 'COMMENT',
        relatedId: comment.id,
      },
    ],
    events: [
      {
        topic: 'change',
        event: 'comment.created',
        entityType: 'COMMENT',
        entityId: comment.id,
        payload: { record: toRecord(comment), changes: [], subject },
      },
    ],
  })
}

function toRecord({ workspaceId: _workspace, authorType, authorId, authorName, authorEmail, ...rest }: CommentRow) {
  return { ...rest, author: { type: authorType, id: authorId, name: authorName, email: authorEmail } }
}
