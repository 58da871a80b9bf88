import {
  effectivePermissions,
  uniteLevels,
  unitePermissions,
  type AccessLevels,
  type AccessRule,
  type AgentControl,
  type AgentLimits,
  type Via,
  type WritesMode,
} from '@crm/permissions'
import type { Pool } from 'pg'
import { instantText, sessionExpiry, sessionFreshness } from './session-ends.ts'

/** The class of a credential; that of a directory opens the provisioning API alone. */
export type CredentialClass = 'session' | 'api-key' | 'oauth-token' | 'scim-token'

/** The source of a change, for the timeline. */
type ChangeSource = 'UI' | 'API' | 'MCP' | 'WORKFLOW'

interface CallerEmployee {
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly name: string
  readonly kind: 'PERSON' | 'SERVICE'
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  readonly departmentId: string | null
  readonly managerId: string | null
  readonly timezone: string | null
  readonly createdAt: string
  readonly roleIds: readonly string[]
}

/** The resolved credential of a request: class, employee, effective permissions, access levels. */
export interface Caller {
  readonly class: CredentialClass
  readonly isAmbient: boolean
  readonly credential: {
    readonly id: string
    readonly name: string
    readonly prefix: string | null
    readonly createdAt: string
    readonly expiresAt: string | null
    readonly lastUsedAt: string | null
  }
  readonly employee: CallerEmployee
  /** The blocks of addresses from which the credential works; none: from everywhere. */
  readonly allowedCidrs: readonly string[]
  /** The person's department and all departments below it. */
  readonly departmentTreeIds: readonly string[]
  /** The scopes of the credential; null: everything that its owner may do. */
  readonly requested: readonly string[] | null
  readonly owned: ReadonlySet<string>
  readonly effective: ReadonlySet<string>
  readonly levels: AccessLevels
  readonly source: ChangeSource
  /** The way by which the person comes. */
  readonly via: Via
  /** How the credential of an agent is held; null for people and their workflows. */
  readonly control: AgentControl | null
  /** The time until which a session counts as freshly authenticated; null for other credentials, which nobody is asked about. */
  readonly freshUntil: string | null
  /** The number of workflow runs that led to this request. */
  readonly depth: number
}

interface CallerRow {
  readonly id: string
  readonly name: string
  readonly prefix: string | null
  readonly scopes: readonly string[] | null
  readonly allowedCidrs?: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly employee: Omit<CallerEmployee, 'name' | 'roleIds'>
  readonly roles: readonly {
    readonly id: string
    readonly permissions: readonly string[]
    readonly access: readonly AccessRule[]
  }[]
  readonly departmentTreeIds: readonly string[]
  readonly freshUntil?: string | null
  /** The client of a connection. */
  readonly clientId?: string
  readonly control?: {
    readonly writes: WritesMode
    readonly limits: Partial<AgentLimits>
    readonly confirm: boolean
    readonly lineId?: string | null
  }
}

/** Every level names the workspace by the parameter `$1`: a recursive one is refused without it where the tables are distributed. */
const employeeParts = `
  json_build_object('id', e.id, 'email', e.email, 'firstName', e.first_name, 'lastName', e.last_name, 'status', e.status, 'kind', e.kind,
    'departmentId', e.department_id, 'managerId', e.manager_id, 'timezone', e.timezone, 'createdAt', ${instantText('e.created_at')}) AS employee,
  coalesce((SELECT json_agg(json_build_object('id', r.id, 'permissions', r.permissions, 'access', r.access) ORDER BY r.name)
    FROM employee_roles er JOIN roles r ON r.workspace_id = er.workspace_id AND r.id = er.role_id
    WHERE er.workspace_id = $1 AND er.employee_id = e.id), '[]') AS roles,
  coalesce((WITH RECURSIVE tree AS (
      SELECT d.id FROM departments d WHERE d.workspace_id = $1 AND d.id = e.department_id
      UNION SELECT d.id FROM departments d JOIN tree ON d.parent_id = tree.id WHERE d.workspace_id = $1
    ) SELECT json_agg(id) FROM tree), '[]') AS "departmentTreeIds"`

const sessions = `SELECT c.id, 'Session' AS name, NULL AS prefix, NULL AS scopes, ${instantText('c.created_at')} AS "createdAt",
    ${instantText(sessionExpiry('c', 'w'))} AS "expiresAt", ${instantText('c.last_used_at')} AS "lastUsedAt",
    ${instantText(sessionFreshness('c', 'w'))} AS "freshUntil", ${employeeParts}
  FROM sessions c JOIN workspaces w ON w.id = c.workspace_id
    JOIN employees e ON e.workspace_id = c.workspace_id AND e.id = c.employee_id`

const controlOf = (table: string, more = ''): string =>
  `json_build_object('writes', ${table}.writes, 'limits', ${table}.limits, 'confirm', ${table}.confirm${more}) AS control`

const apiKeys = `SELECT c.id, c.name, c.prefix, c.scopes, c.allowed_cidrs AS "allowedCidrs", ${instantText('c.created_at')} AS "createdAt", ${instantText('c.expires_at')} AS "expiresAt",
      ${instantText('c.last_used_at')} AS "lastUsedAt", ${controlOf('c', `, 'lineId', c.line_id`)}, ${employeeParts}
    FROM api_keys c JOIN employees e ON e.workspace_id = c.workspace_id AND e.id = c.owner_id
    WHERE c.workspace_id = $1 AND c.revoked_at IS NULL`

const connected = `SELECT g.id, o.name, NULL AS prefix, g.scopes, g.client_id AS "clientId", ${controlOf('g')}, ${employeeParts},
    ${instantText('g.last_used_at')} AS "lastUsedAt"`
const grants = `oauth_grants g JOIN oauth_clients o ON o.workspace_id = g.workspace_id AND o.id = g.client_id
    JOIN employees e ON e.workspace_id = g.workspace_id AND e.id = g.employee_id`

const credentialTables = {
  'api-key': `${apiKeys} AND c.key_hash = $2`,
  'scim-token': `SELECT c.id, c.name, c.prefix, NULL AS scopes, ${instantText('c.created_at')} AS "createdAt", ${instantText('c.expires_at')} AS "expiresAt",
      ${instantText('c.last_used_at')} AS "lastUsedAt", ${employeeParts}
    FROM scim_tokens c JOIN employees e ON e.workspace_id = c.workspace_id AND e.id = c.owner_id
    WHERE c.workspace_id = $1 AND c.token_hash = $2`,
  session: `${sessions} WHERE c.workspace_id = $1 AND c.token_hash = $2`,
  'oauth-token': `${connected}, ${instantText('c.created_at')} AS "createdAt", ${instantText('c.expires_at')} AS "expiresAt"
    FROM oauth_tokens c JOIN (${grants}) ON g.workspace_id = c.workspace_id AND g.id = c.grant_id
    WHERE c.workspace_id = $1 AND c.token_hash = $2 AND c.kind = 'access' AND g.revoked_at IS NULL`,
} as const

const employeeQuery = `SELECT e.id, 'Workflow' AS name, NULL AS prefix, NULL AS scopes, ${instantText('e.created_at')} AS "createdAt",
    NULL AS "expiresAt", NULL AS "lastUsedAt", ${employeeParts}
  FROM employees e WHERE e.workspace_id = $1 AND e.id = $2`

const sources: Record<CredentialClass, ChangeSource> = {
  session: 'UI',
  'api-key': 'API',
  'oauth-token': 'MCP',
  'scim-token': 'API',
}

/** Resolves a stored credential by the digest of its secret; null when there is none or it was revoked. */
export async function readCaller(
  pool: Pool,
  workspaceId: string,
  kind: CredentialClass,
  hash: Buffer,
): Promise<Caller | null> {
  const { rows } = await pool.query<CallerRow>({
    name: `identity-${kind}`,
    text: credentialTables[kind],
    values: [workspaceId, hash],
  })
  return rows[0] ? toCaller(rows[0], kind, kind === 'session', sources[kind]) : null
}

/** The executor of a query: a pool, or a transaction of it. */
export interface Queryable {
  query<Row extends object>(query: {
    readonly name: string
    readonly text: string
    readonly values: unknown[]
  }): Promise<{ readonly rows: Row[] }>
}

/** Resolves a session by its id, with the rights of its person as they are now; null when it was ended. */
export async function readSessionCaller(
  pool: Queryable,
  workspaceId: string,
  sessionId: string,
): Promise<Caller | null> {
  const { rows } = await pool.query<CallerRow>({
    name: 'identity-session-by-id',
    text: `${sessions} WHERE c.workspace_id = $1 AND c.id = $2`,
    values: [workspaceId, sessionId],
  })
  return rows[0] ? toCaller(rows[0], 'session', true, sources.session) : null
}

/** The agents' credentials by their ids: a key that works, a consent that was not ended. */
const agentTables = {
  'api-key': `${apiKeys} AND c.id = $2 AND (c.expires_at IS NULL OR c.expires_at > $3)`,
  'oauth-token': `${connected}, ${instantText('g.created_at')} AS "createdAt", NULL AS "expiresAt"
    FROM ${grants} WHERE g.workspace_id = $1 AND g.id = $2 AND g.revoked_at IS NULL AND $3::timestamptz IS NOT NULL`,
} as const

/** Resolves the credential of an agent by its id, with the rights of its person as they are now; null when it was ended. */
export async function readAgentCaller(
  pool: Queryable,
  workspaceId: string,
  kind: keyof typeof agentTables,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<Caller | null> {
  const { rows } = await pool.query<CallerRow>({
    name: `identity-agent-${kind}`,
    text: agentTables[kind],
    values: [workspaceId, id, at],
  })
  return rows[0] ? toCaller(rows[0], kind, false, sources[kind]) : null
}

/** Resolves the person whose rights automation or background work uses. */
export async function readEmployeeCaller(
  pool: Queryable,
  workspaceId: string,
  employeeId: string,
): Promise<Caller | null> {
  const { rows } = await pool.query<CallerRow>({
    name: 'identity-employee',
    text: employeeQuery,
    values: [workspaceId, employeeId],
  })
  return rows[0] ? toCaller(rows[0], 'session', false, 'WORKFLOW') : null
}

function toCaller(row: CallerRow, kind: CredentialClass, isAmbient: boolean, source: ChangeSource): Caller {
  const owned = unitePermissions(row.roles)
  return {
    class: kind,
    isAmbient,
    credential: {
      id: row.id,
      name: row.name,
      prefix: row.prefix,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      lastUsedAt: row.lastUsedAt,
    },
    employee: { ...row.employee, name: fullName(row.employee), roleIds: row.roles.map((role) => role.id) },
    allowedCidrs: row.allowedCidrs ?? [],
    departmentTreeIds: row.departmentTreeIds,
    requested: row.scopes,
    owned,
    effective: effectivePermissions(owned, row.scopes),
    levels: uniteLevels(row.roles),
    source,
    via: viaOf(row, kind, source),
    control: controlIn(row, kind),
    freshUntil: row.freshUntil ?? null,
    depth: 0,
  }
}

function viaOf({ id, name, clientId }: CallerRow, kind: CredentialClass, source: ChangeSource): Via {
  if (source === 'WORKFLOW') return { type: 'WORKFLOW', id: null, name: null }
  if (kind === 'session') return { type: 'SESSION', id: null, name: null }
  if (kind === 'scim-token') return { type: 'SCIM', id, name }
  return kind === 'api-key' ? { type: 'API_KEY', id, name } : { type: 'OAUTH_CLIENT', id: clientId ?? id, name }
}

function controlIn({ id, clientId, employee, control }: CallerRow, kind: CredentialClass): AgentControl | null {
  if (!control) return null
  const { lineId, ...held } = control
  return { ...held, budgetKey: kind === 'api-key' ? `key:${lineId ?? id}` : `client:${clientId}:${employee.id}` }
}

/** Returns a person's displayed name; the email address when there is none. */
export function fullName(person: {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string
}): string {
  return [person.firstName, person.lastName].filter(Boolean).join(' ') || person.email
}
