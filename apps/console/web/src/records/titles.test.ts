import { expect, it } from 'vitest'
import { contactTitle, leadTitle } from './titles.ts'

const nobody = { firstName: null, lastName: null, email: null, phone: null }

it('calls a contact by name, else by what is known', () => {
  expect(contactTitle({ ...nobody, firstName: 'Ada', lastName: 'King' })).toBe('Ada King')
  expect(contactTitle({ ...nobody, email: 'ada@engines.example', phone: '+4930901820' })).toBe('ada@engines.example')
  expect(contactTitle({ ...nobody, phone: '+4930901820' })).toBe('+4930901820')
  expect(contactTitle(nobody)).toBe('Contact without a name')
})

it('calls a lead by its person, else by what is known', () => {
  const lead = { ...nobody, companyName: null }
  expect(leadTitle({ ...lead, firstName: 'Ada', lastName: 'King' })).toBe('Ada King')
  expect(leadTitle(lead)).toBe('Lead without a name')
})
