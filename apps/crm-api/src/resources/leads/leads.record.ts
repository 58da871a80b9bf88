import { columnsExcept, rowReader, schema } from '@crm/db'

/** The columns of a lead that the API shows. */
export const leadColumns = columnsExcept(schema.leads, ['workspaceId', 'deletedAt', 'searchText', 'mergedIntoId'])

/** Reads leads as the API shows them. */
export const leadRows = rowReader(leadColumns)

/** A lead as it is read, which is also how it goes on the wire. */
export type LeadRow = Omit<typeof schema.leads.$inferSelect, 'workspaceId' | 'deletedAt' | 'searchText' | 'mergedIntoId'>

/** The columns that a new lead is written with. */
export type LeadValues = Omit<typeof schema.leads.$inferInsert, 'workspaceId' | 'id' | 'version' | 'createdAt' | 'updatedAt' | 'createdById' | 'deletedAt'>

/** A lead's name as it is shown to people. */
export function leadTitle(lead: Pick<LeadRow, 'firstName' | 'lastName' | 'companyName' | 'email' | 'phone'>): string {
  return [lead.firstName, lead.lastName].filter(Boolean).join(' ') || lead.companyName || lead.email || lead.phone || 'Lead'
}
