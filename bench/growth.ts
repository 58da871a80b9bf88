// `npm run bench:growth`: what requests cost in workspaces of growing size, and what a large neighbour costs a small one.
import { compactCounts } from '@crm/db'
import type { Pool } from 'pg'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import { createTestWorkspace } from '../packages/testkit/src/workspace.ts'
import { fillWorkspace } from './growth-data.ts'
import { growthRows, type GrowthRow, type GrownWorkspace } from './growth-rows.ts'
import { middle } from './load.ts'
import { processorMs, processorMsOfTree } from './processor.ts'
import { createKeys, setStage, type Process, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10k,100k,1M' },
    rows: { type: 'string', default: '' },
    data: { type: 'string' },
  },
})
const sizes = values.sizes.split(',').map(numberOf)
const wanted = values.rows.split(',').map((part) => part.trim())
const say = (line: string): void => console.log(line)
/** The pages that PostgreSQL may look at for a small workspace beside a large one, of those that it looks at alone. */
const neighbourMax = 1.5
/** Alone, the smallest tables are read whole, in fewer pages than the index and the rows of one answer are in. */
const neighbourPages = 100
/** More than this, and a request is measured a few times only. */
const secondsMax = 4
const rounds = { least: 3, most: 60 }

const stage = await setStage([], say, {
  folder: values.data,
  settings: { shared_preload_libraries: 'pg_stat_statements', shared_buffers: '2GB' },
})
try {
  await stage.owner.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const [smallest = 0, ...others] = sizes
  const small = await grownWorkspace(stage, smallest)
  const api = await stage.start('crm-api', 'apps/crm-api/bundle/main.js')
  const rows = growthRows.filter(({ what }) => wanted.some((part) => what.includes(part)))
  // Only reads: what writes leave in a table would be taken for the neighbour's.
  const reads = rows.filter(({ writes }) => !writes)
  const alone = new Map<GrowthRow, Cost>()
  if (small.isNew) for (const row of reads) alone.set(row, await costOf(api, small, row))
  const workspaces = [small]
  for (const leads of others) workspaces.push(await grownWorkspace(stage, leads))

  heading('request', sizes, 'ratio', 'bound', 'API ms', 'p95 ms', 'beside', 'holds')
  const broken: GrowthRow[] = []
  for (const row of rows) {
    const ofSizes: Cost[] = []
    for (const workspace of workspaces) ofSizes.push(await costOf(api, workspace, row))
    if (!tell(row, ofSizes, alone.get(row))) broken.push(row)
  }
  say('')
  say(
    broken.length === 0
      ? `All ${rows.length} bounds hold.`
      : `${rows.length - broken.length} of ${rows.length} bounds hold; these do not: ${broken.map(({ what }) => what).join('; ')}.`,
  )
} finally {
  await stage.close()
}

/** What one request costs. */
interface Cost {
  /** Processor time of PostgreSQL, in milliseconds. */
  readonly database: number
  /** Processor time of the CRM API, in milliseconds. */
  readonly api: number
  readonly p95Ms: number
  /** Pages that PostgreSQL looked at. */
  readonly buffers: number
  /** Answers other than the expected one. */
  readonly refused: number
}

async function costOf(api: Process, workspace: GrownWorkspace, row: GrowthRow): Promise<Cost> {
  let sent = 0
  let refused = 0
  const send = async (): Promise<number> => {
    const { path, method = 'GET', body } = row.request(workspace, sent)
    const key = workspace.keys[sent % workspace.keys.length]
    sent += 1
    const begunMs = performance.now()
    const { statusCode, body: answer } = await request(`${api.url}${path}`, {
      method,
      headers: {
        host: workspace.host,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (statusCode === 503) refused += 1
    else if (statusCode >= 400) throw new Error(`${row.what}: ${statusCode} ${text}`)
    return performance.now() - begunMs
  }
  const { least, most } = rounds
  // A prepared statement keeps its plan from the sixth time on.
  for (let at = 0, begunMs = performance.now(); at < 8 && performance.now() - begunMs < secondsMax * 1_000; at += 1)
    await send()
  refused = 0
  const { owner, postgresPid } = stage
  const before = {
    buffers: await buffersOf(owner),
    database: processorMsOfTree(postgresPid),
    api: processorMs(api.pid),
  }
  const times: number[] = []
  for (
    const begunMs = performance.now();
    times.length < least || (times.length < most && performance.now() - begunMs < secondsMax * 1_000);
  )
    times.push(await send())
  const per = (total: number): number => total / times.length / (row.per ?? 1)
  const database = per(processorMsOfTree(postgresPid) - before.database)
  times.sort((a, b) => a - b)
  return {
    database,
    api: per(processorMs(api.pid) - before.api),
    p95Ms: times[Math.floor(times.length * 0.95)] ?? middle(times),
    buffers: per((await buffersOf(owner)) - before.buffers),
    refused,
  }
}

async function buffersOf(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ pages: string }>(
    'SELECT sum(shared_blks_hit + shared_blks_read) AS pages FROM pg_stat_statements',
  )
  return Number(rows[0]?.pages ?? 0)
}

/** Prints a row and returns whether its bounds hold. */
function tell({ what, atMost, msMax }: GrowthRow, ofSizes: readonly Cost[], alone: Cost | undefined): boolean {
  const first = ofSizes[0] as Cost
  const last = ofSizes.at(-1) as Cost
  const ratio = last.database / first.database
  const beside = alone && (first.buffers + 1) / (alone.buffers + 1)
  const holds =
    last.refused === 0 &&
    (atMost === undefined || ratio <= atMost) &&
    (msMax === undefined || last.database <= msMax) &&
    (beside === undefined || beside <= neighbourMax || first.buffers - (alone?.buffers ?? 0) <= neighbourPages)
  line(
    what,
    ...ofSizes.map(({ database, refused }) => `${database.toFixed(2)}${refused > 0 ? ' 503' : ''}`),
    ratio.toFixed(2),
    msMax === undefined ? (atMost === undefined ? 'no 503' : `≤ ${atMost}`) : `≤ ${msMax} ms`,
    last.api.toFixed(2),
    last.p95Ms.toFixed(0),
    beside?.toFixed(2) ?? '',
    holds ? 'yes' : 'NO',
  )
  return holds
}

/** Returns the workspace of a size, filled now, or in an earlier run in the same folder. */
async function grownWorkspace(
  { db, owner }: Stage,
  leads: number,
): Promise<GrownWorkspace & { readonly isNew: boolean }> {
  const file = values.data && join(values.data, `workspace-${leads}.json`)
  const known = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Known) : undefined
  const { workspaceId, adminUserId, host } = known ?? (await filled(stage, leads))
  if (file && !known) writeFileSync(file, JSON.stringify({ workspaceId, adminUserId, host } satisfies Known))
  // A run that ended early leaves a ledger that nobody has folded.
  await compactCounts(db, workspaceId, 'LEAD')
  const ids = await owner.query<{ id: string }>(
    'SELECT id FROM leads WHERE workspace_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT 2000',
    [workspaceId],
  )
  const people = await owner.query<{ id: string }>('SELECT id FROM employees WHERE workspace_id = $1 ORDER BY id', [
    workspaceId,
  ])
  const stages = await owner.query<{ stageId: string }>(
    `SELECT stage_id AS "stageId" FROM leads WHERE workspace_id = $1 AND status = 'NEW' LIMIT 1`,
    [workspaceId],
  )
  return {
    leads,
    host,
    keys: await createKeys(db, workspaceId, adminUserId),
    leadIds: ids.rows.map(({ id }) => id),
    ownerId: people.rows[1]?.id ?? '',
    stageId: stages.rows[0]?.stageId ?? '',
    isNew: !known,
  }
}

interface Known {
  readonly workspaceId: string
  readonly adminUserId: string
  readonly host: string
}

async function filled({ db, owner }: Stage, leads: number): Promise<Known> {
  const begunMs = performance.now()
  const workspace = await createTestWorkspace(db)
  for (let at = 0; at < 4; at += 1) await workspace.employee()
  for (const [key, type, options] of [
    ['region', 'TEXT', []],
    ['budget', 'NUMBER', []],
    ['plan', 'SELECT', ['basic', 'plus', 'pro'].map((value) => ({ value, label: value }))],
  ] as const)
    await owner.query(
      `INSERT INTO custom_fields (workspace_id, id, entity_type, key, label, type, options) VALUES ($1, uuidv7(), 'LEAD', $2, $2, $3, $4)`,
      [workspace.workspaceId, key, type, JSON.stringify(options)],
    )
  await fillWorkspace(db, owner, workspace.workspaceId, leads)
  await owner.query('VACUUM ANALYZE')
  await owner.query('CHECKPOINT')
  say(`filled ${leads.toLocaleString('en')} leads in ${((performance.now() - begunMs) / 1_000).toFixed(0)} s`)
  return workspace
}

function numberOf(text: string): number {
  const [, digits = '', unit = ''] = /^(\d+)(k|M|)$/.exec(text.trim()) ?? []
  if (digits === '') throw new Error(`A size is a number such as 10k or 1M, not ${text}`)
  return Number(digits) * ({ k: 1_000, M: 1_000_000 }[unit] ?? 1)
}

function heading(what: string, ofSizes: readonly number[], ...cells: readonly string[]): void {
  say('')
  line(what, ...ofSizes.map((leads) => (leads >= 1e6 ? `${leads / 1e6}M` : `${leads / 1e3}k`)), ...cells)
}

function line(what: string, ...figures: readonly string[]): void {
  say(`${what.padEnd(46)}${figures.map((figure) => figure.padStart(10)).join('')}`)
}
