import { expect, it } from 'vitest'
import { changedFields, draftOf, emptyDraft, rebase } from './lead-draft.ts'

const ada = { ...emptyDraft, firstName: 'Ada', email: 'ada@example.org', temperature: 'HOT' }

it('shows empty text where a lead has nothing', () => {
  const lead = {
    firstName: 'Ada',
    lastName: null,
    companyName: null,
    jobTitle: null,
    email: null,
    phone: null,
    website: null,
    temperature: null,
    description: null,
  }
  expect(draftOf(lead)).toEqual({ ...emptyDraft, firstName: 'Ada' })
})

it('sends what was changed and clears what was emptied', () => {
  expect(changedFields(ada, { ...ada, firstName: ' Grace ', email: ' ', lastName: '' })).toEqual({
    firstName: 'Grace',
    email: null,
  })
  expect(changedFields(ada, ada)).toEqual({})
})

it('keeps what this person typed and takes what another one changed', () => {
  const typed = { ...ada, firstName: 'Augusta' }
  const latest = { ...ada, email: 'new@example.org', firstName: 'A.' }
  const { draft, changedMeanwhile } = rebase(typed, ada, latest)
  expect(draft).toEqual({ ...ada, firstName: 'Augusta', email: 'new@example.org' })
  expect(changedMeanwhile).toEqual([
    { field: 'firstName', value: 'A.' },
    { field: 'email', value: 'new@example.org' },
  ])
})
