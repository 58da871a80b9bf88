import { expect, it } from 'vitest'
import { changedText, readFields } from './form-changes.ts'

it('sends only what differs, and null for what was emptied', () => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: ' Same ', amount: '', note: 'new' })) form.set(name, value)
  const text = readFields(form, ['name', 'amount', 'note', 'absent'])
  expect(text).toEqual({ name: 'Same', amount: '', note: 'new', absent: '' })
  expect(changedText({ name: 'Same', amount: '5.00', note: null }, text)).toEqual({ amount: null, note: 'new' })
})
