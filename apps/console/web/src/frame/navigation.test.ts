import { expect, it } from 'vitest'
import { usablePermissions } from '../base/session.ts'
import { destinationsFor, isSettings } from './navigation.ts'

it('leads only where the permissions reach', () => {
  const labels = (...permissions: string[]) => destinationsFor(new Set(permissions)).map(({ label }) => label)
  expect(labels()).toEqual([
    'Home',
    'Inbox',
    'Calendar',
    'Meetings',
    'Profile',
    'Notifications',
    'Security',
    'Calendars',
    'AI clients',
    'Agents',
    'Proposals',
  ])
  expect(labels('DELETE_LEAD')).toContain('Trash')
  expect(labels('DELETE_FILE')).not.toContain('Trash')
  expect(labels('VIEW_LEAD', 'MANAGE_API_KEYS')).toEqual([
    'Home',
    'Inbox',
    'Calendar',
    'Leads',
    'Dashboards',
    'Meetings',
    'Profile',
    'Notifications',
    'Security',
    'Calendars',
    'API keys',
    'AI clients',
    'Agents',
    'Proposals',
  ])
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
