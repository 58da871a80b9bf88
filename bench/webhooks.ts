// `npm run bench:webhooks`: the cost of a webhook from its call to its finished run, and the cost of rules for a create.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newId, schema } from '@crm/db'
import { compare, measure } from './load.ts'
import { crmApiRows, meetKeys, prepareFloor } from './rows.ts'
import { hookRow } from './rows-of-others.ts'
import { setStage, type LoadedWorkspace, type Process, type Stage } from './stage.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
// The calls accepted during the warm-up must be drained as well.
const pace = {
  warmUpSeconds: 4,
  connections: 8,
  ...(values.quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 3 }),
}
const leads = 1_000

const createLeadStep = [
  {
    key: 'lead',
    name: '',
    type: 'CREATE_RECORD',
    entityType: 'LEAD',
    values: { firstName: '{{trigger.firstName}}', lastName: '{{trigger.lastName}}', companyName: 'Bench' },
  },
]

const stage = await setStage([leads], () => undefined)
try {
  const workspace = stage.workspace(leads)
  const floor = await stage.start('floor', 'bench/floor.ts')
  const api = await stage.start('crm-api', 'apps/crm-api/bundle/main.js')
  const ingress = await stage.start('webhooks', 'apps/webhooks/bundle/main-ingress.js')
  await prepareFloor(stage, workspace)
  await meetKeys(api, workspace)
  const hook = await hookRow(ingress, floor, stage, workspace)
  await stage.owner.query('UPDATE workflow_versions SET steps = $1', [JSON.stringify(createLeadStep)])
  print('memory of the ingress at rest', `${ingress.rssMb()} MB`, '≤ 120 MB')

  const { ours, ratio, p95Ms } = await compare(hook.ours, hook.floor, pace)
  print(
    'hook → 202, of a bare insert',
    `${ratio.toFixed(2)} (${ours.toFixed(0)}/s, p95 ${p95Ms.toFixed(1)} ms)`,
    '≥ 0.40',
  )
  print('memory of the ingress under load', `${ingress.rssMb()} MB`, '≤ 120 MB')

  // Runs of the floor must not be executed.
  await stage.owner.query(
    'DELETE FROM workflow_runs r WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.workspace_id = r.workspace_id AND o.id = r.id)',
  )
  const { dispatcher, runs, perSecond } = await drain(stage, api)
  print('accepted calls drained into leads', `${perSecond.toFixed(0)} runs/s (${runs} runs)`, '≥ 300 runs/s')
  print('memory of the dispatcher after that', `${dispatcher.rssMb()} MB`, '≤ 180 MB')

  await wait(3_000)
  print('CPU of an idle dispatcher', `${(await cpuShare(dispatcher, 5)).toFixed(2)} %`, '≤ 2 %')

  print(
    'what rules add to a create when none matches',
    `${((await ruleCost(stage, api, floor, workspace)) * 100).toFixed(1)} %`,
    '≤ 5 %',
  )
} finally {
  await stage.close()
}

function print(what: string, figure: string, promised: string): void {
  console.log(`${what.padEnd(48)}${figure.padStart(36)}   promised ${promised}`)
}

/** Returns the rate at which a warm dispatcher finishes the runs accepted so far. */
async function drain(
  { owner, start }: Stage,
  api: Process,
): Promise<{ readonly dispatcher: Process; readonly runs: number; readonly perSecond: number }> {
  const count = async (states: string): Promise<number> =>
    Number(
      (await owner.query<{ n: string }>(`SELECT count(*) AS n FROM workflow_runs WHERE state IN (${states})`)).rows[0]
        ?.n,
    )
  const dispatcher = await start('webhooks-dispatcher', 'apps/webhooks/bundle/main-dispatcher.js', {
    CRM_API_URL: api.url,
  })
  while ((await count(`'SUCCEEDED'`)) < 500) await wait(100)
  // Autovacuum does this within a minute.
  await owner.query('ANALYZE')
  const open = await count(`'QUEUED', 'RUNNING'`)
  const startedAtMs = performance.now()
  while ((await count(`'QUEUED', 'RUNNING'`)) > 0) await wait(250)
  const failed = await count(`'FAILED', 'WAITING'`)
  if (failed > 0) throw new Error(`${failed} runs did not succeed`)
  return { dispatcher, runs: open, perSecond: open / ((performance.now() - startedAtMs) / 1_000) }
}

/** Returns the share of one core that a process uses, in per cent. */
async function cpuShare(process: Process, seconds: number): Promise<number> {
  const before = cpuMs(process.pid)
  await wait(seconds * 1_000)
  return (cpuMs(process.pid) - before) / (seconds * 10)
}

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return ((user ?? 0) + (system ?? 0)) * 10
}

/** Measures how much slower creates become with a rule whose conditions never hold. */
async function ruleCost(
  { db, owner, workspace: workspaceOf, ...rest }: Stage,
  api: Process,
  floor: Process,
  { workspaceId }: LoadedWorkspace,
): Promise<number> {
  const create = crmApiRows(api, floor, { db, owner, workspace: workspaceOf, ...rest }, leads).find(({ what }) =>
    what.startsWith('create'),
  )
  if (!create) throw new Error('There is no row for creates')
  const id = newId()
  const rule = {
    workspaceId,
    id,
    name: 'Never',
    event: 'lead.created',
    isActive: false,
    conditions: [{ field: 'companyName', op: 'EQ', value: 'Nobody' }],
    actions: [],
  }
  await db.insert(schema.automationRules).values(rule)
  const withRule = async (isActive: boolean): Promise<number> => {
    await owner.query('UPDATE automation_rules SET is_active = $2 WHERE id = $1', [id, isActive])
    return (await measure(create.ours, pace.connections, pace.seconds)).perSecond
  }
  await withRule(false)
  const costs: number[] = []
  for (let round = 0; round < Math.max(3, pace.rounds); round += 1) {
    const without = await withRule(false)
    costs.push(1 - (await withRule(true)) / without)
  }
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0
}
