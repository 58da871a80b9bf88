import { expect, it } from 'vitest'
import { refusedForm } from './statement-forms.ts'
import { levelsOf } from './statement-levels.ts'

const told = (statement: string) => levelsOf(statement).flatMap((level) => refusedForm(level)?.because ?? [])

it.each([
  [
    'select id from leads where status = $1 limit (select n from wanted)',
    'a limit is a query, and the rows are of all workspaces',
  ],
  [
    'insert into tasks (workspace_id) values ($1) returning id, (select count(*) from leads where workspace_id = $1)',
    'an insert returns what a query finds',
  ],
  [
    'insert into counters (workspace_id) values ($1) on conflict (workspace_id) do update set at = now()',
    'a conflict is settled by a function whose value changes',
  ],
  [
    'update runs set started_at = coalesce(started_at, now()) where workspace_id = $1',
    'a change decides by a function whose value changes',
  ],
  [
    "update outbox set done_at = case when topic = 'x' then now() end where workspace_id = $1",
    'a change decides by a function whose value changes',
  ],
  ['select id from jobs where state = $1 for update skip locked', 'rows of all workspaces are locked'],
  [
    'select id from jobs t where (t.workspace_id, t.id) = ($1, $2) for update of t',
    'rows of all workspaces are locked',
  ],
  [
    'update tries set next_at = $1::timestamptz + tries.failures * interval $2 where workspace_id = $3',
    'a change computes from a column what depends on settings of the session',
  ],
  [
    'insert into tries (workspace_id) values ($1) on conflict (workspace_id) do update set at = $2, data = jsonb_build_object($3, excluded.data)',
    'a change computes from a column what depends on settings of the session',
  ],
  [
    'select w.id, e.* from workspaces w cross join lateral (select id from timeline where workspace_id = w.id limit 1) e',
    'a query for each workspace stands beside a list, or beside the table of which every machine has a copy',
  ],
  [
    'select p.* from unnest($1::uuid[], $2::uuid[]) as p (workspace_id, id), lateral (select id from notifications limit 1) n',
    'a query for each workspace stands beside a list, or beside the table of which every machine has a copy',
  ],
  [
    'update notes n set mailed_at = $1 from (select id, workspace_id from notes where workspace_id = $2 for update) as due where n.workspace_id = due.workspace_id and n.id = due.id',
    'a change of rows that a query found does not name their workspace',
  ],
  [
    "update leads set note = case note when 'a' then 'b' else note end where workspace_id = $1",
    'a change chooses by a CASE of an expression',
  ],
  ['delete from jobs where workspace_id = $1 and ctid = any ($2)', 'a row is named by its place'],
])('%s is refused', (statement, because) => {
  expect(told(statement)).toContain(because)
})

it.each([
  'select coalesce(due_at, now()) from tasks where workspace_id = $1 limit $2',
  'update runs set lease_until = now() where workspace_id = $1',
  'insert into counters (workspace_id) values ($1) on conflict (workspace_id) do update set at = excluded.at',
  'select id from jobs where workspace_id = $1 and state = $2 for update skip locked',
  "update leads set note = 'case when now() end' where workspace_id = $1",
  'update notes n set mailed_at = $1 from (select id from notes where workspace_id = $2 for update) as due where n.workspace_id = $2 and n.id = due.id',
  'select id from leads where workspace_id = (select $1::uuid) limit (select $2::int)',
  'update runs set lease_until = now() + $1 * interval $2, epoch = runs.epoch + 1 where workspace_id = $3',
  'update tries set next_at = to_timestamp($1 + tries.failures * 60) where workspace_id = $2',
  'select p.id, e.* from (select r.workspace_id as id from roles r group by r.workspace_id) p cross join lateral (select id from timeline where workspace_id = p.id limit 1) e',
])('%s is taken', (statement) => {
  expect(told(statement)).toEqual([])
})
