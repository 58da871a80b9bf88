import { contacts as contactsResource, type ContactInput, type ContactPatch } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { recallOwnedFacts, requireVisible } from '../../records/owned/facts.ts'
import type { Origin } from '../../records/owned/trace.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../records/owned/write.ts'
import { companyKind } from '../companies/companies.record.ts'
import { planContact, planContactChange } from './contacts.intake.ts'
import { contactKind, type ContactRow } from './contacts.record.ts'

/** Creates a contact; `origin` is what it was made of. */
export async function createContact(tx: Transaction, context: WriteContext, input: ContactInput, origin?: Origin): Promise<ContactRow> {
  const facts = await recallOwnedFacts(tx, context, contactKind, input.ownerId ?? context.caller.employee.id)
  const values = planContact(input, facts)
  await requireVisible(tx, context, companyKind, input.companyId, 'companyId')
  return createRecord(tx, context, contactKind, values, undefined, origin)
}

/** How contacts change. */
export const contactWriter: RecordWriter<ContactRow, ContactPatch> = {
  kind: contactKind,
  listQuery: contactsResource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    const facts = await recallOwnedFacts(tx, context, contactKind, patch.ownerId ?? current.ownerId ?? context.caller.employee.id)
    const change = planContactChange(current, patch, facts)
    if (patch.companyId !== current.companyId) await requireVisible(tx, context, companyKind, patch.companyId, 'companyId')
    return change
  },
}
