import type { Module } from '@crm/permissions'
import type { Pool } from 'pg'
import { usualSignInPolicy, type SignInPolicy } from './sign-in-policy.ts'
import type { WorkspaceLimitName, WorkspaceLimits } from '@crm/runtime'

/** The facts about a workspace that every request needs. */
export interface Workspace {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly baseUrl: string
  readonly locale: string
  readonly timeFormat: '12h' | '24h'
  readonly timezone: string
  readonly weekStart: 'MONDAY' | 'SUNDAY' | 'SATURDAY'
  readonly currency: string
  readonly mergeExactDuplicates: boolean
  readonly inMaintenance: boolean
  readonly brand: {
    readonly companyName: string | null
    readonly logo: string | null
    readonly primaryColor: string | null
  }
  readonly signInPolicy: SignInPolicy
  readonly modulesOff: ReadonlyMap<Module, 'plan' | 'self'>
  readonly limits: WorkspaceLimits
  /** Plan limits by quota name. */
  readonly quotas: ReadonlyMap<string, number>
}

/** SQL for a limit of the workspace of a row, as a number; null where it has none of its own. */
export const limitOf = (workspaces: string, name: WorkspaceLimitName): string =>
  `(${workspaces}.limits->>'${name}')::int`

interface WorkspaceRow extends Omit<Workspace, 'modulesOff' | 'quotas' | 'brand' | 'signInPolicy'> {
  readonly signInPolicy: Partial<SignInPolicy>
  readonly brand: Partial<Workspace['brand']>
  readonly modulesOff: readonly { key: Module; reason: 'plan' | 'self' | null }[] | null
}

const columns = `w.id, w.slug, w.name, w.base_url AS "baseUrl", w.locale, w.time_format AS "timeFormat", w.timezone, w.week_start AS "weekStart", w.currency,
  w.merge_exact_duplicates AS "mergeExactDuplicates", w.in_maintenance AS "inMaintenance", w.brand, w.limits, w.sign_in_policy AS "signInPolicy",
  (SELECT json_agg(json_build_object('key', m.key, 'reason', m.reason)) FROM workspace_modules m
    WHERE m.workspace_id = $1 AND NOT m.enabled) AS "modulesOff"`

/** Returns a Host header without its port: `localhost:8080` and `[::1]:8080` become `localhost` and `[::1]`. */
export function hostName(header: string): string {
  return header.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}

/** Finds the id of the workspace of a host; the only workspace of an installation owns every host. */
export async function findWorkspaceId(pool: Pool, host: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string | null }>({
    name: 'identity-host',
    text: `SELECT coalesce(
      (SELECT workspace_id FROM workspace_hosts WHERE host = $1),
      (SELECT (array_agg(id))[1] FROM (SELECT id FROM workspaces LIMIT 2) first_two HAVING count(*) = 1)) AS id`,
    values: [hostName(host)],
  })
  return rows[0]?.id ?? null
}

/** Whether a host is registered for a workspace; the only workspace of an installation answers at all other hosts too. */
export async function isRegisteredHost(pool: Pool, host: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT 1 FROM workspace_hosts WHERE host = $1', [hostName(host)])
  return rowCount === 1
}

/** Reads a workspace; `withQuotas` only where the database role may read plan limits. */
export async function readWorkspace(pool: Pool, id: string, { withQuotas = false } = {}): Promise<Workspace | null> {
  const quotas = withQuotas
    ? `, (SELECT json_object_agg(q.quota, q."limit") FROM workspace_quotas q WHERE q.workspace_id = $1) AS quotas`
    : ''
  const { rows } = await pool.query<WorkspaceRow & { quotas?: Record<string, number> | null }>({
    name: `identity-workspace-${withQuotas}`,
    text: `SELECT ${columns}${quotas} FROM workspaces w WHERE w.id = $1`,
    values: [id],
  })
  const row = rows[0]
  return row
    ? {
        ...row,
        brand: toBrand(row.brand),
        signInPolicy: { ...usualSignInPolicy, ...row.signInPolicy },
        modulesOff: toModules(row.modulesOff),
        quotas: new Map(Object.entries(row.quotas ?? {})),
      }
    : null
}

/** Makes a finder of workspaces by host without a cache, for deployables that rarely need one. */
export function createWorkspaceFinder(pool: Pool): (host: string) => Promise<Workspace | null> {
  return async (host) => {
    const id = await findWorkspaceId(pool, host)
    return id ? readWorkspace(pool, id) : null
  }
}

function toBrand(brand: Partial<Workspace['brand']>): Workspace['brand'] {
  return { companyName: brand.companyName ?? null, logo: brand.logo ?? null, primaryColor: brand.primaryColor ?? null }
}

function toModules(off: WorkspaceRow['modulesOff']): Workspace['modulesOff'] {
  return new Map((off ?? []).map(({ key, reason }) => [key, reason ?? 'self']))
}
