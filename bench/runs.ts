import { request } from 'undici'
import { setTimeout as wait } from 'node:timers/promises'
import { hookRow } from './rows-of-others.ts'
import { processorMs, processorMsOfTree } from './processor.ts'
import type { LoadedWorkspace, Process, Stage } from './stage.ts'

const perSecond = 5
const oneStep = [
  {
    key: 'lead',
    name: '',
    type: 'CREATE_RECORD',
    entityType: 'LEAD',
    values: { firstName: '{{trigger.firstName}}', lastName: '{{trigger.lastName}}', companyName: 'Bench' },
  },
]

/** What a hook and its run of one step cost, in milliseconds of processor time. */
interface RunCost {
  /** By process. */
  readonly perRun: readonly (readonly [name: string, ms: number])[]
  /** All processes together. */
  readonly all: number
  /** From the call to the end of the run. */
  readonly p95Ms: number
}

/** Sends hooks at a steady rate and measures what they and their runs cost each process. */
export async function costOfRuns(
  stage: Stage,
  api: Process,
  ingress: Process,
  workspace: LoadedWorkspace,
  seconds: number,
): Promise<RunCost> {
  const { owner, postgresPid, redisPid } = stage
  const { ours: hook } = await hookRow(ingress, ingress, stage, workspace)
  await owner.query('DELETE FROM outbox; DELETE FROM workflow_runs')
  await owner.query('UPDATE workflow_versions SET steps = $1 WHERE workspace_id = $2', [
    JSON.stringify(oneStep),
    workspace.workspaceId,
  ])
  const dispatcher = await stage.start('webhooks-dispatcher', 'apps/webhooks/bundle/main-dispatcher.js', {
    CRM_API_URL: api.url,
  })
  let sent = 0
  const send = async (hooks: number): Promise<void> => {
    for (let at = 0; at < hooks; at += 1) {
      const { path, headers = {}, body = '' } = hook.request(sent)
      sent += 1
      const { statusCode, body: answer } = await request(`${ingress.url}${path}`, { method: 'POST', headers, body })
      await answer.dump()
      if (statusCode !== hook.status) throw new Error(`A hook was answered ${statusCode}`)
      await wait(1_000 / perSecond)
    }
    await allDone(stage)
  }
  const measured: readonly (readonly [string, () => number])[] = [
    ...[dispatcher, ingress, api].map(({ name, pid }) => [name, () => processorMs(pid)] as const),
    ['postgres', () => processorMsOfTree(postgresPid)],
    ['redis', () => processorMs(redisPid)],
  ]
  await send(10 * perSecond)
  const since = new Date().toISOString()
  const before = measured.map(([, spent]) => spent())
  const hooks = seconds * perSecond
  await send(hooks)
  const perRun = measured.map(([name, spent], at) => [name, (spent() - (before[at] ?? 0)) / hooks] as const)
  const { rows } = await owner.query<{ ms: number }>(
    `SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at) * 1000)::float AS ms
     FROM workflow_runs WHERE created_at >= $1`,
    [since],
  )
  return { perRun, all: perRun.reduce((sum, [, ms]) => sum + ms, 0), p95Ms: rows[0]?.ms ?? 0 }
}

async function allDone({ owner }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM workflow_runs WHERE state IN ('QUEUED', 'RUNNING')`,
    )
    if (rows[0]?.n === 0) return
    await wait(100)
  }
}
