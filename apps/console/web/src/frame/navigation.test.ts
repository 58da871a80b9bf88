import { expect, it } from 'vitest'
import { usablePermissions } from '../base/session.ts'
import { destinationsFor, isSettings, startFor } from './navigation.ts'

it('leads only where the permissions reach', () => {
  const labels = (...permissions: string[]) => destinationsFor(new Set(permissions)).map(({ label }) => label)
  expect(labels()).toEqual(['Calendar', 'Meetings', 'Profile', 'AI clients'])
  expect(labels('DELETE_LEAD')).toContain('Trash')
  expect(labels('DELETE_FILE')).not.toContain('Trash')
  expect(labels('VIEW_LEAD', 'MANAGE_API_KEYS')).toEqual([
    'Calendar',
    'Leads',
    'Meetings',
    'Profile',
    'API keys',
    'AI clients',
  ])
})

it('begins with the first place of work, else with the account', () => {
  expect(startFor(new Set(['VIEW_LEAD']))).toBe('/leads')
  expect(startFor(new Set(['VIEW_DEAL']))).toBe('/deals')
  expect(startFor(new Set(['VIEW_INVOICE', 'VIEW_PRODUCT']))).toBe('/invoices')
  expect(startFor(new Set(['MANAGE_WORKSPACE']))).toBe('/settings/account')
  expect(startFor(new Set(['VIEW_TASK']))).toBe('/tasks')
  expect(startFor(new Set(['VIEW_CONVERSATION']))).toBe('/conversations')
})

it('knows which addresses are settings', () => {
  expect(isSettings('/settings/people')).toBe(true)
  expect(isSettings('/document-templates/7')).toBe(true)
  expect(isSettings('/documents')).toBe(false)
})

it('leaves out permissions of modules that are off', () => {
  const missing = [{ scope: 'VIEW_LEAD', reason: 'MODULE_DISABLED' as const }]
  expect([...usablePermissions({ effective: ['VIEW_LEAD', 'VIEW_TASK'], missing })]).toEqual(['VIEW_TASK'])
})
