import { leadSortFields, leadStatuses, temperatures } from '@crm/contract'
import { listAddress } from '../../records/list-search.ts'

/** How the address of the list of leads is read and changed. */
export const leadAddress = listAddress({
  sortFields: leadSortFields,
  textFields: ['lastName', 'companyName'],
  filters: ['savedFilterId'],
  choices: { status: leadStatuses, temperature: temperatures },
})

/** What the address of the list of leads says. */
export type LeadSearch = ReturnType<typeof leadAddress.read>
