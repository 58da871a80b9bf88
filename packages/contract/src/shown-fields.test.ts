import { expect, it } from 'vitest'
import { automationEvents } from './resources/settings/automation.ts'
import { shownFields } from './record-operations.ts'

it('knows the fields that the API shows of everything that tells events', () => {
  const types = new Set([...automationEvents.map((event) => (event.split('.')[0] as string).toUpperCase()), 'VEHICLE'])
  for (const entityType of types)
    expect([entityType, [...shownFields(entityType)]]).toEqual([
      entityType,
      expect.arrayContaining(['id', 'createdAt']),
    ])
  expect(shownFields('VEHICLE').has('values')).toBe(true)
  expect(shownFields('LEAD').has('searchText')).toBe(false)
})
