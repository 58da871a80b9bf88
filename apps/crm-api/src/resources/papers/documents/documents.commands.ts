import { documents, type DocumentPatch } from '@crm/contract'
import { isAnyOf, schema } from '@crm/db'
import { and, count, eq } from 'drizzle-orm'
import { plainWriter } from '../../../kinds/plain.ts'
import { noTrace } from '../../../records/owned/trace.ts'
import type { RecordWriter } from '../../../records/owned/write.ts'
import { refuseUsed } from '../../../records/uses.ts'
import { documentKind, type DocumentRow } from '../../../kinds/documents.ts'

const { documentRecords } = schema

/** The rules by which templates change. */
export const documentWriter: RecordWriter<DocumentRow, DocumentPatch> = {
  ...plainWriter(documentKind, documents.operations.list.query),
  beforeDelete: async (tx, { workspace }, rows) => {
    const [used] = await tx
      .select({ n: count() })
      .from(documentRecords)
      .where(
        and(
          eq(documentRecords.workspaceId, workspace.id),
          isAnyOf(
            documentRecords.documentId,
            rows.map(({ id }) => id),
          ),
        ),
      )
    refuseUsed('template', [{ entityType: 'DOCUMENT_RECORD', count: used?.n ?? 0 }])
    return noTrace
  },
}
