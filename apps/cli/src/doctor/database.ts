import { newestMigration, pendingMigrations } from '@crm/db'
import type { Pool, PoolClient } from 'pg'
import { migrationOf } from '../backup/catalog.ts'
import { deployableRoles } from '../rights.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const area = 'database'
const versionMin = 18
const extensions = ['pg_trgm', 'btree_gist', 'btree_gin', 'unaccent']
const clockMsMax = 1_000
/** The tolerated share of the server's connection limit. */
const connectionsShareMax = 0.8
const outboxSecondsMax = 60
const purgeHoursMax = 24

/** Examines the server, the schema and the roles. */
export async function lookAtDatabase(pool: Pool): Promise<readonly Finding[]> {
  const client = await pool.connect()
  try {
    const ask = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows
    const schema = await schemaOf(client)
    const basics = [await versionOf(ask), await extensionsOf(ask), await clockOf(ask), await connectionsOf(ask), schema]
    return schema.level !== 'fail'
      ? [...basics, await rolesOf(ask), await purgeOf(ask), ...(await waitingOf(ask))]
      : basics
  } finally {
    client.release()
  }
}

async function schemaOf(client: PoolClient): Promise<Finding> {
  const behind = fail(area, 'The schema is behind this version.', 'Run crm db migrate.')
  const migration = await migrationOf(client)
  if (migration === undefined) return behind
  if (migration > (await newestMigration())) return fail(area, 'The schema is of a newer version.', 'Run that version.')
  const pending = await pendingMigrations(client)
  if (pending.some(({ isContract }) => !isContract)) return behind
  return pending.length === 0
    ? ok(area, 'The schema is up to date.')
    : warn(
        area,
        'The schema still has parts that only earlier versions used.',
        'Run crm db migrate --contract when no earlier version runs any more.',
      )
}

type Ask = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

async function versionOf(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ version: string }>("SELECT current_setting('server_version') AS version")
  const version = row?.version ?? ''
  return Number.parseInt(version, 10) >= versionMin
    ? ok(area, `PostgreSQL is ${version}.`)
    : fail(area, `PostgreSQL is ${version}.`, `Use ${versionMin} or later.`)
}

async function extensionsOf(ask: Ask): Promise<Finding> {
  const rows = await ask<{ name: string }>('SELECT extname AS name FROM pg_extension')
  const missing = extensions.filter((name) => !rows.some((row) => row.name === name))
  return missing.length === 0
    ? ok(area, 'All extensions are there.')
    : fail(
        area,
        `Extensions are missing: ${missing.join(', ')}.`,
        'Let a superuser create them, or use a server that has them.',
      )
}

async function clockOf(ask: Ask): Promise<Finding> {
  const beforeMs = Date.now()
  const [row] = await ask<{ ms: string }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms')
  const apartMs = clockDistance(beforeMs, Number(row?.ms), Date.now())
  return apartMs <= clockMsMax
    ? ok(area, 'Its clock agrees with this one.')
    : fail(
        area,
        `Its clock is ${Math.round(apartMs / 1_000)} s away from this one.`,
        'Let both machines follow a time server.',
      )
}

/** Returns the smallest possible distance of a clock that was read at some moment between asking and answering. */
export function clockDistance(beforeMs: number, readMs: number, afterMs: number): number {
  return Math.max(0, beforeMs - readMs, readMs - afterMs)
}

async function connectionsOf(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ open: number; most: number }>(
    "SELECT count(*)::int AS open, current_setting('max_connections')::int AS most FROM pg_stat_activity WHERE backend_type = 'client backend'",
  )
  const { open = 0, most = 0 } = row ?? {}
  return open <= most * connectionsShareMax
    ? ok(area, `${open} of ${most} connections are open.`)
    : warn(
        area,
        `${open} of ${most} connections are open.`,
        'Raise max_connections, lower DATABASE_POOL_MAX, or put PgBouncer in front.',
      )
}

async function rolesOf(ask: Ask): Promise<Finding> {
  const rows = await ask<{ name: string; may_log_in: boolean; reads: boolean }>(
    `SELECT rolname AS name, rolcanlogin AS may_log_in,
       has_schema_privilege(oid, 'public', 'USAGE') AND has_table_privilege(oid, 'public.workspaces', 'SELECT') AS reads
     FROM pg_roles WHERE rolname = ANY ($1)`,
    [deployableRoles],
  )
  const broken = deployableRoles.filter((name) => {
    const role = rows.find((row) => row.name === name)
    return role === undefined || !role.may_log_in || !role.reads
  })
  return broken.length === 0
    ? ok(area, 'Every deployable has its role.')
    : fail(
        area,
        `Roles cannot log in or have no rights: ${broken.join(', ')}.`,
        'Run crm db migrate with ROLE_PASSWORD.',
      )
}

/** Expired keys of requests are deleted everywhere after the same time, so they show whether expired history is deleted at all. */
async function purgeOf(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ hours: number | null }>(
    'SELECT floor(extract(epoch FROM now() - min(expires_at)) / 3600)::int AS hours FROM idempotency_keys WHERE expires_at < now()',
  )
  const hours = row?.hours ?? 0
  return hours <= purgeHoursMax
    ? ok('purge', 'Expired history is deleted in time.')
    : warn(
        'purge',
        `Expired rows have waited ${hours} hours for their deletion.`,
        'Look whether the dispatcher runs, and at the load of the database.',
      )
}

async function waitingOf(ask: Ask): Promise<readonly Finding[]> {
  const [pause] = await ask<{ at: string | null }>('SELECT paused_at::text AS at FROM installation')
  if (pause?.at)
    return [warn('sending', `Nothing is sent since ${pause.at}: a backup was restored.`, 'Run crm resume.')]
  const [row] = await ask<{ seconds: number | null }>(
    'SELECT extract(epoch FROM now() - min(created_at))::int AS seconds FROM outbox WHERE done_at IS NULL AND relayed_at IS NULL',
  )
  const seconds = row?.seconds ?? 0
  return [
    seconds <= outboxSecondsMax
      ? ok('sending', 'Nothing waits for long.')
      : warn('sending', `Something has waited for ${seconds} s.`, 'Look whether the dispatcher and the CRM API run.'),
  ]
}
