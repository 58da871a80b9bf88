import { expect, it } from 'vitest'
import { usablePermissions } from '../base/session.ts'
import { destinationsFor, startFor } from './navigation.ts'

it('leads only where the permissions reach', () => {
  const labels = (...permissions: string[]) => destinationsFor(new Set(permissions)).map(({ label }) => label)
  expect(labels()).toEqual(['Meetings', 'My calendar', 'My account', 'Connections'])
  expect(labels('DELETE_LEAD')).toContain('Recently deleted')
  expect(labels('DELETE_FILE')).not.toContain('Recently deleted')
  expect(labels('VIEW_LEAD', 'MANAGE_API_KEYS')).toEqual([
    'Leads',
    'Meetings',
    'My calendar',
    'My account',
    'Connections',
    'API keys',
  ])
})

it('begins with the first place of work, else with the account', () => {
  expect(startFor(new Set(['VIEW_LEAD']))).toBe('/leads')
  expect(startFor(new Set(['VIEW_DEAL']))).toBe('/deals')
  expect(startFor(new Set(['VIEW_INVOICE', 'VIEW_PRODUCT']))).toBe('/invoices')
  expect(startFor(new Set(['MANAGE_WORKSPACE']))).toBe('/settings/account')
  expect(startFor(new Set(['VIEW_CONVERSATION']))).toBe('/conversations')
})

it('leaves out permissions of modules that are off', () => {
  const missing = [{ scope: 'VIEW_LEAD', reason: 'MODULE_DISABLED' as const }]
  expect([...usablePermissions({ effective: ['VIEW_LEAD', 'VIEW_TASK'], missing })]).toEqual(['VIEW_TASK'])
})
