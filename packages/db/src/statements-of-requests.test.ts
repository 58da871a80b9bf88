import { expect, it } from 'vitest'
import { unboundStatements } from './statements-of-requests.ts'

const unbound = (text: string, role = 'crm_api'): string | undefined => unboundStatements([{ role, text }])[0]?.table

it.each([
  'SELECT 1',
  'SELECT id FROM workspaces WHERE slug = $1',
  'select "id" from "leads" where "leads"."workspace_id" = $1 and "leads"."id" = $2',
  'SELECT l.id FROM leads l JOIN employees e ON e.workspace_id = l.workspace_id AND e.id = l.owner_id WHERE l.workspace_id = $1',
  'SELECT id FROM leads WHERE workspace_id = (SELECT $1::uuid)',
  'SELECT w.id, (SELECT count(*) FROM leads l WHERE l.workspace_id = w.id) FROM workspaces w WHERE w.id = $1',
  'INSERT INTO record_numbers AS n (workspace_id, entity_type, last) VALUES ($1, $2, $3)',
  'UPDATE leads SET tags = $1 WHERE (leads.workspace_id, leads.id) IN (SELECT workspace_id, id FROM leads WHERE workspace_id = $2)',
  'delete from "sso_states" where "sso_states"."expires_at" < $1',
])('lets a statement pass that names the workspace, or that looks over all of them on purpose: %s', (text) => {
  expect(unbound(text)).toBeUndefined()
})

it.each([
  ['leads', 'SELECT id FROM leads WHERE id = $1'],
  ['employees', 'SELECT l.id FROM leads l JOIN employees e ON e.id = l.owner_id WHERE l.workspace_id = $1'],
  ['leads', 'SELECT l.id FROM leads l JOIN employees e ON e.workspace_id = l.workspace_id WHERE l.id = $1'],
  ['leads', 'UPDATE ONLY public_leads SET a = $1 FROM leads WHERE leads.id = $2'],
  ['leads', 'delete from "leads" where "leads"."id" = any($1)'],
  ['leads', 'INSERT INTO leads (id, status) VALUES ($1, $2)'],
  ['leads', 'SELECT id /* workspace_id = $1 */ FROM leads WHERE id = $1 -- workspace_id = $1'],
])('names the table %s whose workspace a statement leaves open: %s', (table, text) => {
  expect(unbound(text)).toBe(table)
})

it('judges the deployables that answer requests alone', () => {
  const text = 'SELECT id FROM workflow_runs WHERE state = $1'
  expect(['crm_hooks', 'crm_gateway', 'crm_booking'].map((role) => unbound(text, role))).toEqual(
    Array.from({ length: 3 }, () => 'workflow_runs'),
  )
  expect(unbound(text, 'crm_dispatcher')).toBeUndefined()
})
