import {
  deployableRoles,
  extensionsNeeded,
  howToGiveRoles,
  lacksRight,
  newestMigration,
  pendingMigrations,
  processNeeds,
  unfitServer,
  UnfitServerError,
  type ProcessNeeds,
  staleCollations,
} from '@crm/db'
import type { Pool, PoolClient } from 'pg'
import { migrationOf } from '../backup/catalog.ts'
import { fail, ok, warn, type Finding } from './finding.ts'
import { judgeRights, readRightDifferences } from './rights.ts'

const area = 'database'
const clockMsMax = 1_000
/** The tolerated share of the server's connection limit. */
const connectionsShareMax = 0.8
const outboxSecondsMax = 60
/** Large exports and imports take a while in one piece. */
const jobSecondsMax = 600
const purgeHoursMax = 24

/** Examines the server, the schema and the roles. */
export async function lookAtDatabase(pool: Pool): Promise<readonly Finding[]> {
  const client = await pool.connect().catch((error: unknown) => {
    const unfit = unfitServer(error)
    if (unfit) return unfit
    throw error
  })
  if (client instanceof UnfitServerError) return [fail(area, client.message, 'Name another database in DATABASE_URL.')]
  try {
    const ask = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows
    const schema = await schemaOf(client)
    const basics = [await versionOf(ask), await extensionsOf(ask), await clockOf(ask), await connectionsOf(ask), schema]
    if (schema.level === 'fail') return basics
    const needs = await processNeeds(client)
    return [
      ...basics,
      await poolsOf(ask, needs),
      await loginsOf(ask),
      ...(await rightsOf(client)),
      judgePurge(needs),
      await ordersOf(client),
      ...(await waitingOf(ask)),
    ]
  } finally {
    client.release()
  }
}

/** Compares the rights of the roles; an owner that may not change roles cannot. */
async function rightsOf(client: PoolClient): Promise<readonly Finding[]> {
  try {
    return judgeRights(await readRightDifferences(client))
  } catch (error) {
    if (!lacksRight(error)) throw error
    const { rows } = await client.query<{ name: string }>('SELECT current_user AS name')
    return [
      warn(
        area,
        'The rights of the roles cannot be compared: the user of DATABASE_URL may not make or change roles.',
        howToGiveRoles(rows[0]?.name ?? ''),
      ),
    ]
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

/** Tells when names may be sorted by another order than that of their indexes, so that lists miss records. */
async function ordersOf(client: PoolClient): Promise<Finding> {
  const stale = await staleCollations(client)
  return stale.length === 0
    ? ok(area, 'Texts are sorted as their indexes were built.')
    : fail(
        area,
        `Texts are sorted by another version of the library than their indexes: ${stale.map(({ object }) => object.toLowerCase()).join(', ')}.`,
        'Run crm db migrate: it builds these indexes anew beside the running services.',
      )
}

async function versionOf(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ version: string }>("SELECT current_setting('server_version') AS version")
  return ok(area, `PostgreSQL is ${row?.version}.`)
}

async function extensionsOf(ask: Ask): Promise<Finding> {
  const rows = await ask<{ name: string }>('SELECT extname AS name FROM pg_extension')
  const missing = extensionsNeeded.filter((name) => !rows.some((row) => row.name === name))
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

const fewerConnections = 'Raise max_connections, lower DATABASE_POOL_MAX, or put PgBouncer in front.'

async function connectionsOf(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ open: number; most: number }>(
    "SELECT count(*)::int AS open, current_setting('max_connections')::int AS most FROM pg_stat_activity WHERE backend_type = 'client backend'",
  )
  const { open = 0, most = 0 } = row ?? {}
  const sentence = `${open} of ${most} connections are open.`
  return open <= most * connectionsShareMax ? ok(area, sentence) : warn(area, sentence, fewerConnections)
}

/** Judges the connections that the running processes may open together; those behind a pooler do not count. */
async function poolsOf(ask: Ask, { connections }: ProcessNeeds): Promise<Finding> {
  const [row] = await ask<{ most: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
       - current_setting('reserved_connections')::int AS most`,
  )
  const most = row?.most ?? 0
  const sentence = `The running processes open up to ${connections} connections, of ${most} that there are for them.`
  return connections <= most ? ok(area, sentence) : warn(area, sentence, fewerConnections)
}

async function loginsOf(ask: Ask): Promise<Finding> {
  const rows = await ask<{ name: string }>('SELECT rolname AS name FROM pg_roles WHERE rolcanlogin')
  const broken = deployableRoles.filter((name) => !rows.some((row) => row.name === name))
  return broken.length === 0
    ? ok(area, 'Every deployable has its role.')
    : fail(area, `Roles cannot log in: ${broken.join(', ')}.`, 'Run crm db migrate with a ROLE_PASSWORD_… for each.')
}

/** Judges the deletion of expired history by what the processes report that do it. */
function judgePurge({ hasPurge, behind }: ProcessNeeds): Finding {
  if (!hasPurge) return warn('purge', 'No dispatcher runs, so expired history is not deleted.', 'Start the dispatcher.')
  const [worst] = [...behind].toSorted(([, one], [, other]) => other - one)
  const [table = '', seconds = 0] = worst ?? []
  const hours = Math.floor(seconds / 3_600)
  return hours <= purgeHoursMax
    ? ok('purge', 'Expired history is deleted in time.')
    : warn(
        'purge',
        `Expired rows of ${table} have waited ${hours} hours for their deletion.`,
        'Look at the log of the dispatcher, and at the load of the database.',
      )
}

async function waitingOf(ask: Ask): Promise<readonly Finding[]> {
  const [pause] = await ask<{ at: string | null }>('SELECT paused_at::text AS at FROM installation')
  if (pause?.at)
    return [warn('sending', `Nothing is sent since ${pause.at}: a backup was restored.`, 'Run crm resume.')]
  // A row whose next attempt is due later has a time of being handed on in the future.
  const [row] = await ask<{ waiting: number | null; working: number | null }>(
    `SELECT extract(epoch FROM now() - min(created_at) FILTER (WHERE relayed_at IS NULL))::int AS waiting,
       extract(epoch FROM now() - min(created_at) FILTER (WHERE relayed_at <= now()))::int AS working
     FROM outbox WHERE done_at IS NULL`,
  )
  const { waiting, working } = row ?? {}
  const late = [
    ...((waiting ?? 0) > outboxSecondsMax
      ? [warn('sending', `Something has waited for ${waiting} s.`, 'Look whether the dispatcher and the CRM API run.')]
      : []),
    ...((working ?? 0) > jobSecondsMax
      ? [
          warn(
            'sending',
            `A job was handed on and is not done, ${working} s after it was asked for.`,
            'Look at the logs of the dispatcher and the CRM API: a worker is dead, or the work takes so long.',
          ),
        ]
      : []),
  ]
  return late.length > 0 ? late : [ok('sending', 'Nothing waits for long.')]
}
