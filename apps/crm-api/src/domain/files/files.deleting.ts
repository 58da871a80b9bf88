import type { Transaction } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import { noteAct } from '../../records/agent-acts.ts'
import type { TraceContext } from '../../records/owned/trace.ts'
import { afterKept } from '../../records/released-files.ts'
import { traceLinks } from './files.links.ts'
import { selectLinks, updateFile, type FileLink, type FileRow } from './files.repository.ts'

/** Deletes a locked file, which stays for a time, and returns the records to which it belonged. */
export async function deleteFile(
  tx: Transaction,
  context: TraceContext & Pick<CrmContext, 'workspace'>,
  file: FileRow,
): Promise<readonly FileLink[]> {
  const { workspace, at } = context
  await updateFile(tx, workspace.id, file.id, { deletedAt: at, leavesAt: afterKept(at), updatedAt: at })
  const removed = (await selectLinks(tx, workspace.id, [file.id])).get(file.id) ?? []
  await traceLinks(tx, context, file, { removed })
  await noteAct(tx, context, { entityType: 'FILE', entityId: file.id, title: null, told: 'DELETED' })
  return removed
}
