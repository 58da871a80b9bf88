import { address, domain, email, phone, reference, text } from '../field.ts'
import { defineKind, followUps } from '../kind.ts'

/** An organization (docs/guide/leads-and-deals.md). */
export const company = defineKind({
  entity: 'COMPANY',
  noun: 'company',
  plural: 'companies',
  stem: 'companies',
  module: 'SALES',
  icon: 'companies',
  title: ['name'],
  quota: true,
  customFields: true,
  line: { note: 'domain' },
  list: { columns: ['name', 'domain', 'industryId', 'size', 'ownerId', 'createdAt'] },
  main: ['name', 'domain', 'email', 'phone', 'industryId', 'size', 'website', 'ownerId', 'tags'],
  fields: {
    name: text({ max: 200, presence: 'required', holds: 'name', sort: true, preferred: true }),
    domain: domain({ holds: 'name', sort: true, preferred: true }),
    industryId: reference({ to: 'INDUSTRY', bulk: true, filter: true, preferred: true }),
    size: text({ max: 100, holds: 'fixed', bulk: true, preferred: true }),
    phone: phone({ holds: 'name', preferred: true }),
    email: email({ holds: 'name', preferred: true }),
    website: text({ max: 500, holds: 'name', preferred: true }),
    taxId: text({ max: 100, holds: 'fixed', preferred: true }),
    billingAddress: address({ holds: 'fixed', preferred: true }),
    shippingAddress: address({ holds: 'fixed', preferred: true }),
    parentId: reference({ to: 'COMPANY', bulk: true, filter: true }),
    description: text({ max: 10_000, holds: 'prose', preferred: true }),
    ...followUps,
  },
})
