// `npm run bench:operations`: what operators wait for, and what a busy workspace costs its neighbour.
import { sealEntries } from '@crm/audit'
import { workspaceLimits } from '@crm/runtime'
import { createTestWorkspace } from '../packages/testkit/src/workspace.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { request } from 'undici'
import { measure, warmUp } from './load.ts'
import { listsOf, type Press } from './press.ts'
import { setStage, type LoadedWorkspace, type Process } from './stage.ts'
import { watchStolen } from './stolen.ts'

const leads = Number(process.argv[2] ?? 1_000_000)
const entries = Number(process.argv[3] ?? 1_000_000)
const small = 10_000
const neighbourConnections = 2
const busyConnections = 16
const roundSeconds = 5
const rounds = 5
const expired = 2_000_000

/** The ways in which a large workspace disturbs: some clients at the limit of their keys, and as many requests as are answered. */
const disturbances = [
  { what: 'ten clients at their limit', perSecondMax: (10 * workspaceLimits['api.per-minute'].usual) / 60, aim: 2 },
  { what: `${busyConnections} connections without a pause`, perSecondMax: undefined, aim: null },
] as const

const stolen = watchStolen()
const stage = await setStage([small, leads], console.log)
try {
  await backUp()
  await verifyAuditLog()
  const api = await stage.start('crm-api', 'apps/crm-api/bundle/main.js')
  await eraseSomebody(api)
  await disturb(api)
  await purge(api)
  console.log(`stolen ${(stolen() * 100).toFixed(1)} %`)
} finally {
  await stage.close()
}

/** Backs up the whole installation, verifies the backup, and restores it into another database. */
async function backUp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-backup-'))
  try {
    const { path, bytes, rows } = await timed(`backup of ${short(leads)} leads`, 5, () =>
      stage.crm<{ path: string; bytes: number; rows: number }>(['backup', 'create', '--to', folder]),
    )
    console.log(`  ${short(rows)} rows, ${Math.round(bytes / 1e6)} MB`)
    await timed('verification of the backup', null, () => stage.crm(['backup', 'verify', path]))
    const place = { DATABASE_URL: await stage.emptyDatabase('restored'), DATA_DIR: join(folder, 'data') }
    await timed('restore', 10, () => stage.crm(['backup', 'restore', path], place))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes audit entries, seals them, and verifies their chain. */
async function verifyAuditLog(): Promise<void> {
  const { workspaceId } = await createTestWorkspace(stage.db)
  await stage.owner.query(
    `INSERT INTO audit_log (workspace_id, id, at, actor_name, action, subject_type, subject_id, summary, changes)
     SELECT $1, uuidv7(), now() - interval '1 day' + n * interval '1 ms', 'Ada Person', 'role.changed', 'ROLE', n::text, 'Changed a role',
       '[{"field": "name", "from": "Sales", "to": "Sellers"}]'
     FROM generate_series(1, $2::int) n`,
    [workspaceId, entries],
  )
  await timed(`sealing of ${short(entries)} audit entries`, null, () => sealEntries(stage.db, workspaceId))
  const { rows } = await stage.owner.query<{ slug: string }>('SELECT slug FROM workspaces WHERE id = $1', [workspaceId])
  await timed('verification of the audit log', 2, () =>
    stage.crm(['audit', 'verify', '--workspace', rows[0]?.slug ?? '']),
  )
}

/** Erases a lead of the large workspace, as its administrator does. */
async function eraseSomebody({ url }: Process): Promise<void> {
  const { host, leadIds, session } = stage.workspace(leads)
  const cookie = await session()
  const { rows } = await stage.owner.query<{ email: string }>('SELECT email FROM leads WHERE id = $1', [leadIds[0]])
  await timed(`erasure of a person among ${short(leads)} leads`, null, async () => {
    const { statusCode, body } = await request(`${url}/api/settings/privacy/erasures`, {
      method: 'POST',
      headers: { host, cookie, origin: `http://${host}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subject: { type: 'LEAD', id: leadIds[0] }, confirm: rows[0]?.email }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`The erasure was answered ${statusCode}: ${text}`)
  })
}

/** Compares the lists of a small workspace alone with the same lists while a large workspace asks for its own. */
async function disturb(api: Process): Promise<void> {
  const quiet = listsOf(pressOf(api, stage.workspace(small)))
  await warmUp(quiet, neighbourConnections, 20)
  for (const { what, perSecondMax, aim } of disturbances) {
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const alone = await measure(quiet, neighbourConnections, roundSeconds)
      const press = startPress({ ...pressOf(api, stage.workspace(leads)), ...(perSecondMax && { perSecondMax }) })
      const beside = await measure(quiet, neighbourConnections, roundSeconds)
      const perSecond = await press
      ratios.push(beside.p95Ms / alone.p95Ms)
      console.log(
        `  p95 alone ${alone.p95Ms.toFixed(1)} ms, beside ${Math.round(perSecond)} requests a second ${beside.p95Ms.toFixed(1)} ms`,
      )
    }
    const ratio = ratios.toSorted((a, b) => a - b)[rounds >> 1] ?? 0
    console.log(`beside ${what}: ${ratio.toFixed(2)} times the p95 alone${aimed(aim, ratio)}`)
  }
}

/** Measures how fast expired history is deleted, and the lists of a workspace meanwhile. */
async function purge(api: Process): Promise<void> {
  const { workspaceId, adminUserId } = stage.workspace(small)
  await stage.owner.query(
    `INSERT INTO notifications (workspace_id, id, employee_id, kind, text, created_at, mailed_at)
     SELECT $1, uuidv7(interval '-100 days'), $2, 'COMMENT_MENTION', 'Ada Person mentioned you', now() - interval '100 days', now()
     FROM generate_series(1, $3::int)`,
    [workspaceId, adminUserId, expired],
  )
  await stage.owner.query('VACUUM ANALYZE notifications')
  const lists = listsOf(pressOf(api, stage.workspace(small)))
  const alone = await measure(lists, neighbourConnections, 2 * roundSeconds)
  const { url } = await stage.start('webhooks-dispatcher', 'apps/webhooks/bundle/main-dispatcher.js', {
    CRM_API_URL: api.url,
  })
  const gone = async (): Promise<number> => {
    const figures = await (await request(`${url}/metrics`)).body.text()
    return Number(/^crm_purge_rows_total\{[^}]*table="notifications"[^}]*\} (\d+)/m.exec(figures)?.[1] ?? 0)
  }
  while ((await gone()) === 0) await wait(100)
  const [beganAt, before] = [performance.now(), await gone()]
  const beside = await measure(lists, neighbourConnections, 2 * roundSeconds)
  const perSecond = ((await gone()) - before) / ((performance.now() - beganAt) / 1_000)
  const ratio = beside.p95Ms / alone.p95Ms
  const missed = perSecond < 5_000 ? '  missed' : ''
  console.log(`purge of ${short(expired)} rows: ${short(Math.round(perSecond))} rows a second, aim 5,000${missed}`)
  console.log(`beside the purge: ${ratio.toFixed(2)} times the p95 alone${aimed(1.3, ratio)}`)
}

function pressOf({ url, pid }: Process, { host, keys }: LoadedWorkspace): Press {
  return { on: { url, pid }, host, keys, connections: busyConnections, seconds: roundSeconds }
}

/** Sends the requests of a workspace from a thread of its own, so that they do not delay the clients that are measured. */
function startPress(press: Press): Promise<number> {
  const thread = new Worker(new URL('./press.ts', import.meta.url), { workerData: press })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}

async function timed<T>(what: string, aimMinutes: number | null, work: () => Promise<T>): Promise<T> {
  const beganAt = performance.now()
  const outcome = await work()
  const minutes = (performance.now() - beganAt) / 60_000
  console.log(`${what}: ${minutes.toFixed(2)} minutes${aimed(aimMinutes, minutes)}`)
  return outcome
}

/** Words the most that a figure may be, and says so when it is more; nothing without an aim. */
function aimed(most: number | null, figure: number): string {
  if (most === null) return ''
  return `, aim ${most}${figure <= most ? '' : '  missed'}`
}

function short(count: number): string {
  return count.toLocaleString('en')
}
