import { documentRecordStatuses } from '@crm/contract'
import type { MadeSearch } from '../../domain/documents/document-queries.ts'
import { idIn } from '../../records/address-parts.ts'

/** Reads the address of the list of documents; invalid parts are ignored. */
export function readMadeSearch({ status, documentId, page }: Readonly<Record<string, unknown>>): MadeSearch {
  const known = documentRecordStatuses.find((name) => name === status)
  const template = idIn(documentId)
  return {
    ...(known === undefined ? {} : { status: known }),
    ...(template === undefined ? {} : { documentId: template }),
    ...(Number.isSafeInteger(Number(page)) && Number(page) > 1 ? { page: Number(page) } : {}),
  }
}
