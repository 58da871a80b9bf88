import { newId, schema, type Executor, type Transaction } from '@crm/db'
import { and, count, desc, eq } from 'drizzle-orm'

const { comments } = schema

export type CommentRow = typeof comments.$inferSelect
export type CommentValues = Omit<typeof comments.$inferInsert, 'workspaceId' | 'id'>

/** Returns the comments on a record, newest first, and their number. */
export async function listComments(
  db: Executor,
  workspaceId: string,
  of: { readonly entityType: string; readonly entityId: string; readonly visibility?: 'INTERNAL' | 'SHARED' },
  page: { readonly limit: number; readonly offset: number },
): Promise<{ items: CommentRow[]; total: number }> {
  const where = and(
    eq(comments.workspaceId, workspaceId),
    eq(comments.entityType, of.entityType),
    eq(comments.entityId, of.entityId),
    of.visibility ? eq(comments.visibility, of.visibility) : undefined,
  )
  const [total] = await db.select({ n: count() }).from(comments).where(where)
  const items = await db
    .select()
    .from(comments)
    .where(where)
    .orderBy(desc(comments.createdAt), desc(comments.id))
    .limit(page.limit)
    .offset(page.offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one comment. */
export async function findComment(db: Executor, workspaceId: string, id: string): Promise<CommentRow | undefined> {
  const [row] = await db
    .select()
    .from(comments)
    .where(and(eq(comments.workspaceId, workspaceId), eq(comments.id, id)))
  return row
}

/** Writes a comment, or returns the first one with the same external id. */
export async function insertComment(
  tx: Transaction,
  workspaceId: string,
  values: CommentValues,
): Promise<{ comment: CommentRow; isNew: boolean }> {
  const [inserted] = await tx
    .insert(comments)
    .values({ ...values, workspaceId, id: newId() })
    .onConflictDoNothing({ target: [comments.workspaceId, comments.externalSource, comments.externalId] })
    .returning()
  if (inserted) return { comment: inserted, isNew: true }
  const [first] = await tx
    .select()
    .from(comments)
    .where(
      and(
        eq(comments.workspaceId, workspaceId),
        eq(comments.externalSource, values.externalSource ?? ''),
        eq(comments.externalId, values.externalId ?? ''),
      ),
    )
  return { comment: first as CommentRow, isNew: false }
}

/** Changes a comment. */
export async function updateComment(
  tx: Transaction,
  workspaceId: string,
  id: string,
  set: Partial<CommentValues>,
): Promise<CommentRow> {
  const [row] = await tx
    .update(comments)
    .set(set)
    .where(and(eq(comments.workspaceId, workspaceId), eq(comments.id, id)))
    .returning()
  return row as CommentRow
}

/** Deletes a comment and the answers to it. */
export async function deleteComment(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.delete(comments).where(and(eq(comments.workspaceId, workspaceId), eq(comments.id, id)))
}
