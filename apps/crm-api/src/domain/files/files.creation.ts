import type { FileRecord, IncomingFile } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { CrmContext } from '../../platform/context.ts'
import { noteAct } from '../../records/agent-acts.ts'
import { requireStorage } from '../../records/quotas.ts'
import { requireLinks, traceLinks, type SentLinks } from './files.links.ts'
import { safeName } from './files.naming.ts'
import { beginUpload, endUpload, insertFile, insertLinks } from './files.repository.ts'
import { discardUpload, keepContent, type KeptContent } from './files.storing.ts'

/** The content of a stored file, and the name that was sent with it. */
interface NamedContent extends KeptContent {
  readonly name: string
}

/** Passes the content on to be stored, then returns the other values of the file. */
export type Receive = (
  keep: (file: IncomingFile) => Promise<NamedContent>,
) => Promise<{ readonly kept: NamedContent; readonly fields: SentLinks & { readonly name?: string } }>

/** Stores a new file of the caller and writes its record and links; a failure leaves nothing behind. */
export async function createFile(context: CrmContext, receive: Receive): Promise<FileRecord> {
  const { deps, workspace, caller, at } = context
  // With no room at all, the request is refused before any byte is read.
  await requireStorage(deps.db, workspace, 1)
  const key = { workspaceId: workspace.id, id: await beginUpload(deps.db, workspace.id, at) }
  try {
    const { kept, fields } = await receive(async (file) => ({
      name: file.name,
      ...(await keepContent(deps.storage, key, file)),
    }))
    return await context.transact(async (tx) => {
      if (!(await endUpload(tx, key)))
        throw new ApiError('SERVICE_UNAVAILABLE', { message: 'The upload took too long' })
      await requireStorage(tx, workspace, kept.size)
      const links = await requireLinks(tx, context, fields)
      const { id: uploadedById, departmentId } = caller.employee
      const stamps = { createdById: uploadedById, createdAt: at, updatedAt: at }
      const file = await insertFile(tx, {
        ...key,
        ...kept,
        name: safeName(fields.name ?? kept.name),
        uploadedById,
        departmentId,
        ...stamps,
      })
      await insertLinks(tx, workspace.id, file.id, links, at)
      await traceLinks(tx, context, file, { added: links })
      await noteAct(tx, context, { entityType: 'FILE', entityId: file.id, title: null, told: 'CREATED' })
      return { ...file, links }
    })
  } catch (error) {
    // The sweep finds an upload that cannot be discarded now.
    await discardUpload(deps, key).catch((fault: unknown) =>
      deps.logger.warn({ err: fault }, 'a broken upload was not taken back'),
    )
    throw error
  }
}
