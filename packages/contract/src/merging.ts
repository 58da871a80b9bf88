import { originFields } from './resources/leads.ts'

/** The fields whose value in a merge can be that of any of the merged records, by entity type. */
export const preferableFields = {
  LEAD: [
    'firstName',
    'lastName',
    'companyName',
    'email',
    'phone',
    'jobTitle',
    'website',
    'address',
    'description',
    'temperature',
    'sourceId',
    ...originFields,
    'lostReason',
  ],
  CONTACT: ['firstName', 'lastName', 'email', 'phone', 'jobTitle', 'companyId', 'birthday', 'address', 'description'],
  COMPANY: [
    'name',
    'domain',
    'industryId',
    'size',
    'phone',
    'email',
    'website',
    'taxId',
    'billingAddress',
    'shippingAddress',
    'description',
  ],
} as const
