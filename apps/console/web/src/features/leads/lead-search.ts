import { leadSortFields, leadStatuses, temperatures } from '@crm/contract'
import { listAddress } from '../../records/list-search.ts'

/** Reads and changes the address of the list of leads. */
export const leadAddress = listAddress({
  sortFields: leadSortFields,
  textFields: ['lastName', 'companyName'],
  filters: ['savedFilterId'],
  choices: { status: leadStatuses, temperature: temperatures },
})

/** The parts of the address of the list of leads. */
export type LeadSearch = ReturnType<typeof leadAddress.read>
