import { contacts as contactsResource, type ContactInput, type ContactPatch } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { nextOwner, recallOwnedFacts } from '../../../records/owned/facts.ts'
import type { Origin } from '../../../records/owned/trace.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { requireReferences } from '../../../kinds/references.ts'
import { planContact, planContactChange } from './contacts.intake.ts'
import { contactKind, type ContactRow } from '../../../kinds/contacts.ts'

/** Creates a contact. */
export async function createContact(tx: Transaction, context: WriteContext, input: ContactInput): Promise<ContactRow> {
  await requireReferences(tx, context, contactKind.entityType, input)
  return writeContact(tx, context, input)
}

/** Writes a new contact whose company was checked already; `origin` is the record from which it was made. */
export async function writeContact(
  tx: Transaction,
  context: WriteContext,
  input: ContactInput,
  origin?: Origin,
): Promise<ContactRow> {
  const facts = await recallOwnedFacts(tx, context, contactKind, nextOwner(context, input))
  return createRecord(tx, context, contactKind, planContact(input, facts), undefined, origin)
}

/** The rules by which contacts change. */
export const contactWriter: RecordWriter<ContactRow, ContactPatch> = {
  kind: contactKind,
  listQuery: contactsResource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    const facts = await recallOwnedFacts(tx, context, contactKind, nextOwner(context, patch, current))
    const change = planContactChange(current, patch, facts)
    await requireReferences(tx, context, contactKind.entityType, patch, current)
    return change
  },
}
