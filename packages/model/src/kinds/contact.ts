import * as z from 'zod'
import { address, day, email, emails, parts, phone, phones, reference, text } from '../field.ts'
import { defineKind, followUps } from '../kind.ts'
import { messenger, requiredText } from '../values.ts'

const socials = z
  .record(
    z.string().regex(/^[a-zA-Z][\w-]{0,39}$/, 'Expected the name of a network, such as linkedin'),
    requiredText(500),
  )
  .refine((known) => Object.keys(known).length <= 20, 'Expected 20 at most')

/** A person (docs/guide/leads-and-deals.md). */
export const contact = defineKind({
  entity: 'CONTACT',
  noun: 'contact',
  plural: 'contacts',
  stem: 'contacts',
  module: 'SALES',
  icon: 'contacts',
  title: ['firstName', 'lastName'],
  shared: true,
  merged: true,
  transferred: true,
  called: [
    'contact',
    'person',
    'people',
    'kontakt',
    'ansprechpartner',
    'personne',
    'contacto',
    'persona',
    'контакт',
    'персона',
    'контактное лицо',
  ],
  hub: true,
  person: true,
  quota: true,
  customFields: true,
  line: { note: 'jobTitle' },
  letter: [
    'firstName',
    'lastName',
    'jobTitle',
    'email',
    'phone',
    'birthday',
    'address.line1',
    'address.postalCode',
    'address.city',
    'address.country',
  ],
  list: { columns: ['name', 'companyId', 'jobTitle', 'email', 'phone', 'ownerId', 'createdAt'] },
  main: ['firstName', 'lastName', 'companyId', 'jobTitle', 'email', 'phone', 'ownerId', 'tags'],
  fields: {
    firstName: text({ max: 200, holds: 'person', sort: true, preferred: true }),
    lastName: text({ max: 200, holds: 'person', sort: true, preferred: true }),
    email: email({ holds: 'person', sort: true, preferred: true }),
    phone: phone({ holds: 'person', preferred: true }),
    phoneExtension: text({ max: 20, holds: 'person', hint: 'What is dialled after the number' }),
    emails: emails({ presence: 'always', holds: 'person', hint: 'Further addresses' }),
    phones: phones({ presence: 'always', holds: 'person', hint: 'Further numbers' }),
    jobTitle: text({ max: 200, holds: 'person', bulk: true, preferred: true }),
    companyId: reference({ to: 'COMPANY', bulk: true, filter: true, preferred: true }),
    birthday: day({ preferred: true }),
    address: address({ holds: 'person', preferred: true }),
    messengers: parts({ presence: 'always', holds: 'person' }, z.array(messenger), z.array(messenger).max(20)),
    socials: parts(
      {
        presence: 'always',
        holds: 'person',
        hint: 'Profiles by network, for example {"linkedin": "https://…"}',
      },
      z.record(z.string(), z.string()),
      socials,
    ),
    description: text({ max: 10_000, holds: 'prose', preferred: true }),
    ...followUps,
  },
})
