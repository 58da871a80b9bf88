import { sql, type SQL } from 'drizzle-orm'
import { headerDigest } from './header-digest.ts'
import { mapHeaderValues } from './header-values.ts'
import { calendarUrl, ruleHeaders, workflowHeaders } from './once-plain.ts'
import type { SecretPlace } from './secrets.ts'

/** A column with sealed values. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns that with the workspace make the key of a row, with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'integer' | 'text'>>
  /** The rows that can hold a secret; all that are not null by default. */
  readonly where?: SQL
  /** The row for which the secret is sealed, in SQL within a workspace; the first column of the key by default. */
  readonly owner?: (workspaceId: SQL) => SQL
  place(workspaceId: string, owner: string): SecretPlace
  /** Changes each secret of a stored value; a column of text is one secret by default. */
  readonly map?: (stored: unknown, change: (value: string) => Promise<string>) => Promise<unknown>
  readonly isJson?: boolean
}

const hasHeaders = (column: string): SQL =>
  sql.raw(`${column}::text LIKE '%"headers": {"%' OR ${column}::text LIKE '%"headerAuth": {%'`)

/** A column of stored automation whose requests carry headers. */
function headersIn(
  table: string,
  column: string,
  key: SealedColumn['key'],
  owned: { readonly place: SealedColumn['place']; readonly owner?: SealedColumn['owner']; readonly where?: SQL },
): SealedColumn {
  return { table, column, key, where: hasHeaders(column), isJson: true, map: mapHeaderValues, ...owned }
}

const place = ruleHeaders
const ofWorkflow = { place: workflowHeaders }
const runOwner =
  (run: string) =>
  (workspaceId: SQL): SQL =>
    sql`(SELECT r.workflow_id FROM workflow_runs r WHERE r.workspace_id = ${workspaceId} AND r.id = ${sql.raw(run)})`

/** A column whose values are sealed for their own row. */
function sealedFor(table: string, column: string, key: SealedColumn['key'] = { id: 'uuid' }): SealedColumn {
  return { table, column, key, place: (workspaceId, row) => sealedPlace(table, column, workspaceId, row) }
}

/** Returns the place of a secret in its own row. */
export function sealedPlace(table: string, column: string, workspaceId: string, row: string): SecretPlace {
  return { workspaceId, table, column, row }
}

/** Every column with sealed values. Whoever adds such a column adds it here. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedFor('totp_factors', 'secret', { employee_id: 'uuid' }),
  sealedFor('totp_factors', 'offered', { employee_id: 'uuid' }),
  sealedFor('identity_providers', 'client_secret'),
  sealedFor('audit_streams', 'header_value', { workspace_id: 'uuid' }),
  { table: 'calendar_subscriptions', column: 'url', key: { id: 'uuid' }, place: calendarUrl },
  sealedFor('sso_sessions', 'id_token', { session_id: 'uuid' }),
  headersIn('automation_rules', 'actions', { id: 'uuid' }, { place }),
  headersIn('workflows', 'trigger', { id: 'uuid' }, ofWorkflow),
  headersIn('workflows', 'steps', { id: 'uuid' }, ofWorkflow),
  headersIn('workflow_versions', 'trigger', { workflow_id: 'uuid', version: 'integer' }, ofWorkflow),
  headersIn('workflow_versions', 'steps', { workflow_id: 'uuid', version: 'integer' }, ofWorkflow),
  headersIn('rule_runs', 'skipped', { id: 'uuid' }, { place, owner: () => sql.raw('t.rule_id') }),
  headersIn(
    'workflow_step_runs',
    'input',
    { run_id: 'uuid', position: 'text' },
    { ...ofWorkflow, owner: runOwner('t.run_id') },
  ),
  headersIn(
    'deliveries',
    'request',
    { id: 'uuid' },
    { place, owner: () => sql.raw('t.rule_id'), where: sql`t.rule_id IS NOT NULL` },
  ),
  headersIn(
    'deliveries',
    'request',
    { id: 'uuid' },
    { ...ofWorkflow, owner: runOwner('t.run_id'), where: sql`t.rule_id IS NULL` },
  ),
]

/** The header of a webhook, of which earlier versions kept the value. It is replaced by its digest. */
export const webhookHeaders: SealedColumn = {
  table: 'webhook_triggers',
  column: 'header_auth',
  key: { workflow_id: 'uuid' },
  where: sql.raw(`coalesce(header_auth->>'value', '') <> ''`),
  isJson: true,
  place: workflowHeaders,
}

/** Returns the stored form of a webhook's header without its value. */
export function withoutValue(workflowId: string, stored: { readonly name: string; readonly value: string }) {
  return { name: stored.name, digest: headerDigest(workflowId, stored.value) }
}
