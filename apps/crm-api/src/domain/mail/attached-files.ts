import { attachedBytesMax } from '@crm/contract'
import { isAnyOf, schema, type Executor } from '@crm/db'
import { invalidField } from '@crm/errors'
import type { Attachment } from '@crm/mail'
import { storageKey } from '@crm/storage'
import { and } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { requireVisibleFiles, visibleFiles } from '../files/files.visibility.ts'

const { files } = schema

/** A file that goes with a mail. */
export type AttachedFile = Pick<typeof files.$inferSelect, 'id' | 'name' | 'contentType' | 'size'>

/**
 * Returns the files that go with a mail, in the order of their ids.
 * @throws INVALID_REFERENCE for a file that the caller may not see, VALIDATION_ERROR for too many bytes
 */
export async function requireAttachedFiles(
  db: Executor,
  context: CrmContext,
  ids: readonly string[],
): Promise<AttachedFile[]> {
  if (ids.length === 0) return []
  await requireVisibleFiles(db, context, ids, 'fileIds')
  const { id, name, contentType, size } = files
  const found = await db
    .select({ id, name, contentType, size })
    .from(files)
    .where(and(visibleFiles(context), isAnyOf(files.id, ids)))
    .orderBy(files.id)
  if (found.reduce((sum, file) => sum + file.size, 0) > attachedBytesMax)
    throw invalidField('fileIds', `Expected at most ${attachedBytesMax / 1024 ** 2} MB in all`)
  return found
}

/** Reads the files that go with a mail, as far as the sender may still see them. */
export async function readAttachments(
  db: Executor,
  context: CrmContext,
  ids: readonly string[],
): Promise<Attachment[]> {
  const { deps, workspace } = context
  const attachments: Attachment[] = []
  for (const { id, name, contentType } of await requireAttachedFiles(db, context, ids)) {
    const bytes = await deps.storage.read(storageKey({ workspaceId: workspace.id, id }))
    attachments.push({ filename: name, contentType, content: Buffer.concat(await Array.fromAsync(bytes)) })
  }
  return attachments
}
