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
  'select id, ARRAY(SELECT r.role_id FROM employee_roles r WHERE r.workspace_id = employees.workspace_id) from employees where workspace_id = $1',
  'SELECT l.id FROM leads l JOIN deals d USING (workspace_id, id) WHERE l.workspace_id = $1',
  'SELECT a.id FROM leads a, deals b WHERE (a.workspace_id, a.id) = (b.workspace_id, b.lead_id) AND $1 = b.workspace_id',
  'SELECT id FROM leads WHERE workspace_id = $1 UNION ALL SELECT id FROM deals WHERE workspace_id = $1',
  'WITH chosen AS (SELECT id FROM leads WHERE workspace_id = $1) UPDATE leads l SET tags = $2 FROM chosen WHERE l.workspace_id = $1 AND l.id = chosen.id',
  'INSERT INTO deals AS d (workspace_id, id) SELECT l.workspace_id, l.id FROM leads l WHERE l.workspace_id = $1 ON CONFLICT (workspace_id, id) DO NOTHING',
  'SELECT id FROM leads WHERE workspace_id = $1 AND status IS DISTINCT FROM $2 FOR NO KEY UPDATE OF leads',
  "SELECT ' from deals (' FROM leads WHERE workspace_id IN ($1, $2)",
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
  [
    'employee_roles',
    'select "id", ARRAY(SELECT "role_id" FROM "employee_roles" WHERE "workspace_id" = "workspace_id") from "employees" where "employees"."workspace_id" = $1',
  ],
  [
    'employee_roles',
    'select (SELECT count(*) FROM employee_roles er WHERE er.workspace_id = "workspace_id" AND er.role_id = "id") from "roles" where "roles"."workspace_id" = $1',
  ],
  [
    'employee_roles',
    'SELECT (SELECT count(*) FROM employee_roles er WHERE workspace_id = er.workspace_id) FROM roles r WHERE r.workspace_id = $1',
  ],
  ['leads', 'SELECT id FROM leads l WHERE l.workspace_id = l.workspace_id AND l.workspace_id = $1'],
  ['leads', 'SELECT id FROM leads WHERE (workspace_id) = (workspace_id) AND id = $1'],
  ['leads', 'SELECT id FROM leads WHERE workspace_id IN (workspace_id) AND id = $1'],
  ['leads', 'SELECT id FROM leads l WHERE l.workspace_id::text = l.workspace_id::text AND id = $1'],
  ['leads', 'SELECT id FROM leads l WHERE (l.workspace_id, l.id) = (l.workspace_id, $1)'],
  ['leads', 'SELECT id FROM leads l WHERE l.workspace_id IS NOT DISTINCT FROM l.workspace_id'],
  [
    'employees',
    'SELECT l.id, (SELECT e.email FROM employees e WHERE e.id = l.owner_id) FROM leads l WHERE l.workspace_id = $1',
  ],
  ['deals', 'SELECT id FROM leads WHERE workspace_id = $1 UNION ALL SELECT id FROM deals WHERE id = $2'],
  [
    'deals',
    'SELECT id FROM leads WHERE workspace_id = $1 AND EXISTS (SELECT FROM deals d WHERE d.lead_id = leads.id AND $1 = leads.workspace_id)',
  ],
  ['deals', 'SELECT a.id FROM leads a, deals b WHERE a.workspace_id = $1 AND a.id = b.lead_id'],
  [
    'leads',
    'SELECT l.id FROM leads l JOIN deals d ON d.workspace_id = l.workspace_id JOIN contacts c ON c.workspace_id = d.workspace_id',
  ],
  [
    'leads',
    'INSERT INTO deals (workspace_id, id) SELECT $1, l.id FROM leads l WHERE l.id = $2 ON CONFLICT (workspace_id, id) DO NOTHING',
  ],
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
