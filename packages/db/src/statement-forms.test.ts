import { expect, it } from 'vitest'
import { refusedForm } from './statement-forms.ts'
import { levelsOf } from './statement-levels.ts'

const told = (statement: string) => levelsOf(statement).flatMap((level) => refusedForm(level)?.because ?? [])

it.each([
  ['select id from leads where workspace_id = $1 limit (select n from wanted)', 'a limit is a query'],
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
  [
    'select id from jobs where state = $1 for update skip locked',
    'rows of all workspaces are locked past those of others',
  ],
])('%s is refused', (statement, because) => {
  expect(told(statement)).toContain(because)
})

it.each([
  'select coalesce(due_at, now()) from tasks where workspace_id = $1 limit $2',
  'update runs set lease_until = now() where workspace_id = $1',
  'insert into counters (workspace_id) values ($1) on conflict (workspace_id) do update set at = excluded.at',
  'select id from jobs where workspace_id = $1 and state = $2 for update skip locked',
  "update leads set note = 'case when now() end' where workspace_id = $1",
])('%s is taken', (statement) => {
  expect(told(statement)).toEqual([])
})
