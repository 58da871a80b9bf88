import { expect, it } from 'vitest'
import { named, t } from './texts.ts'

it('fills values into English texts, and chooses the form of what is counted', () => {
  expect(t('Group by')).toBe('Group by')
  expect(t('By {label}', { label: 'stage' })).toBe('By stage')
  const counted = (count: number) => t('{count, plural, one {# record} other {# records}}', { count })
  expect([counted(1), counted(1200)]).toEqual(['1 record', '1,200 records'])
  expect(t('New {noun}', named('lead'))).toBe('New lead')
  expect(t('Discard', { context: 'an invoice' })).toBe('Discard')
})

it('asks for the values that a text names', () => {
  // @ts-expect-error -- The label is missing.
  expect(() => t('By {label}', {})).toThrow('label')
  // @ts-expect-error -- A number of things is a number.
  expect(() => t('{count, plural, one {# record} other {# records}}', { count: 'one' })).toThrow('count')
  // @ts-expect-error -- The text names no label.
  expect(t('Group by', { label: 'stage' })).toBe('Group by')
  // @ts-expect-error -- The tag is missing.
  expect(() => t.rich('By <b>{label}</b>', { label: 'stage' })).toThrow('b')
})
