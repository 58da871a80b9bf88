import { countCopied, countedCopy, newId } from '@crm/db'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { from as copyFrom } from 'pg-copy-streams'
import type { LatencyRow, RatioRow } from './rows.ts'
import type { LoadRequest } from './load.ts'
import type { LoadedWorkspace, Process, Stage } from './stage.ts'

type Build = (n: number) => LoadRequest

/** Returns the row of one of our lists, with the floor's query for it. */
function listRow(
  api: Process,
  floor: Process,
  workspace: LoadedWorkspace,
  what: string,
  ours: Build,
  bare: Build,
  atLeast: number | null = null,
): RatioRow {
  const { host, keys } = workspace
  const withKey: Build = (n) => ({ ...ours(n), headers: { host, authorization: `Bearer ${keys[n % keys.length]}` } })
  return {
    what,
    ours: { on: api, status: 200, request: withKey },
    floor: { on: floor, status: 200, request: bare },
    atLeast,
  }
}

/** Returns the rows of the lists of contacts, deals and tasks. */
export function recordRows(api: Process, floor: Process, workspace: LoadedWorkspace): RatioRow[] {
  const ws = `ws=${workspace.workspaceId}`
  const months = (n: number): number => 1 + ((n * 7) % 40)
  const deals = (n: number): string =>
    `status=OPEN&currency=EUR&amountMin=50000&cf_contractMonthsMin=${months(n)}&cf_contractMonthsMax=${months(n) + 12}`
  return [
    listRow(
      api,
      floor,
      workspace,
      'contacts, list of 20 with total',
      () => ({ path: '/api/contacts?pageSize=20' }),
      () => ({ path: `/contacts?${ws}` }),
    ),
    listRow(
      api,
      floor,
      workspace,
      'deals, three filters and a custom-field range',
      (n) => ({ path: `/api/deals?${deals(n)}` }),
      (n) => ({ path: `/deals?${ws}&from=${months(n)}` }),
    ),
    {
      ...listRow(
        api,
        floor,
        workspace,
        'deals, list of 100',
        () => ({ path: '/api/deals?pageSize=100' }),
        () => ({ path: `/hundred?${ws}` }),
      ),
      costMax: 3,
    },
    listRow(
      api,
      floor,
      workspace,
      'tasks, list of 500',
      () => ({ path: '/api/tasks?pageSize=500' }),
      () => ({ path: `/tasks?${ws}` }),
    ),
  ]
}

/** Measures leads without a call for a number of days, with their total, against the page without a filter. */
export function inactiveRow(api: Process, workspace: LoadedWorkspace): RatioRow {
  const { host, keys } = workspace
  const load = (pathOf: (n: number) => string) => ({
    on: api,
    status: 200,
    request: (n: number) => ({
      path: pathOf(n),
      headers: { host, authorization: `Bearer ${keys[n % keys.length]}` },
    }),
  })
  return {
    what: 'leads without contact for some days, list of 20 with total, beside a plain one',
    ours: load((n) => `/api/leads?pageSize=20&inactiveSince=-${1 + (n % 60)}d`),
    floor: load(() => '/api/leads?pageSize=20'),
    atLeast: 0.33,
  }
}

const words = ['nordwind', 'lefevre', 'Zielińska', 'anna keller', 'copper hill', 'søren', 'meridian robo', '0151 1']

/** Returns the summaries of a large workspace, each beside its bare statement. */
export function summaryRows(api: Process, floor: Process, workspace: LoadedWorkspace): readonly LatencyRow[] {
  const { host, keys, limited, workspaceId } = workspace
  const row = (what: string, path: string, bare: string, held: readonly string[]): LatencyRow => ({
    what: `summary of ${what}`,
    ours: {
      on: api,
      status: 200,
      request: (n) => ({ path, headers: { host, authorization: `Bearer ${held[n % held.length]}` } }),
    },
    floor: { on: floor, status: 200, request: () => ({ path: bare }) },
    promised: '≥ 0.5',
  })
  const ws = `ws=${workspaceId}`
  const byStage = '/api/leads/summary?groupBy=stageId'
  return [
    row('leads by stage', byStage, `/stages?${ws}`, keys),
    ...limited.map(({ level, id, departmentId, keys: held }) =>
      row(
        `leads by stage, level ${level}`,
        byStage,
        `/stages?${ws}&${level}=${level === 'OWN' ? id : departmentId}`,
        held,
      ),
    ),
    row('leads by month', '/api/leads/summary?groupBy=createdAt:month', `/months?${ws}`, keys),
    row('deals by stage, amounts', '/api/deals/summary?groupBy=stageId&measures=sum:amount', `/amounts?${ws}`, keys),
  ]
}

/** Measures search over all types; the floor is one bare query that its index answers. */
export function searchRow(api: Process, floor: Process, workspace: LoadedWorkspace): LatencyRow {
  const wordOf = (n: number): string =>
    encodeURIComponent(n % 2 === 0 ? `.${((n * 7919) % 9_000) + 100}@` : (words[n % words.length] ?? ''))
  const bare: Build = (n) => ({
    path: `/search?ws=${workspace.workspaceId}&q=${encodeURIComponent(`.${((n * 7919) % 9_000) + 100}@`)}`,
  })
  const ours: Build = (n) => ({ path: `/api/search?q=${wordOf(n)}` })
  return { ...listRow(api, floor, workspace, 'search over all types', ours, bare), promised: '≤ 150 ms' }
}

/** The speed of an import of leads against COPY. */
export interface ImportFigure {
  readonly rowsPerSecond: number
  readonly copyRowsPerSecond: number
}

const importDeadlineMs = 600_000

/** Imports a number of leads as CSV, from the first byte to the state DONE, and then copies as many into the same table. */
export async function measureImport(
  api: Process,
  { owner }: Stage,
  workspace: LoadedWorkspace,
  rows: number,
): Promise<ImportFigure> {
  const people = Array.from({ length: rows }, (_, n) => ({
    firstName: 'Import',
    lastName: `Person ${n}`,
    companyName: `Company ${n % 500}`,
    email: `import.${newId()}@example.com`,
    phone: `+4930${10_000_000 + n}`,
  }))
  const csv = [
    'firstName,lastName,companyName,email,phone',
    ...people.map((person) => Object.values(person).join(',')),
  ].join('\n')
  const importMs = await timed(() => importCsv(api, workspace, csv))
  const { rows: stages } = await owner.query<{ id: string }>(
    'SELECT id FROM stages WHERE workspace_id = $1 AND pipeline_id = $2 ORDER BY position LIMIT 1',
    [workspace.workspaceId, workspace.leadPipelineId],
  )
  const place = ['NEW', workspace.leadPipelineId, stages[0]?.id, workspace.adminUserId, workspace.adminUserId]
  const lines = people.map((person) => [workspace.workspaceId, newId(), ...Object.values(person), ...place].join('\t'))
  const copyMs = await timed(() => copyLeads(owner, workspace.workspaceId, lines))
  return { rowsPerSecond: (rows / importMs) * 1000, copyRowsPerSecond: (rows / copyMs) * 1000 }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

async function importCsv(api: Process, workspace: LoadedWorkspace, csv: string): Promise<void> {
  const headers = { host: workspace.host, cookie: await workspace.session(), origin: `http://${workspace.host}` }
  const form = new FormData()
  form.append('options', JSON.stringify({ entityType: 'LEAD' }))
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'leads.csv')
  const encoded = new Response(form)
  const contentType = encoded.headers.get('content-type') ?? ''
  const { id } = await exchange(
    `${api.url}/api/settings/imports`,
    { ...headers, 'content-type': contentType },
    Buffer.from(await encoded.arrayBuffer()),
  )
  const untilMs = performance.now() + importDeadlineMs
  for (;;) {
    const job = await exchange(`${api.url}/api/settings/imports/${id}`, headers)
    if (job.state === 'DONE' && job.created === job.total) return
    if (!['QUEUED', 'RUNNING'].includes(job.state) || performance.now() > untilMs)
      throw new Error(`The import stands at ${JSON.stringify(job)}`)
    await wait(50)
  }
}

interface ImportJob {
  readonly id: string
  readonly state: string
  readonly created: number
  readonly total: number
}

/** Sends a request without fetch, which cannot send another host than the address. */
async function exchange(url: string, headers: Readonly<Record<string, string>>, body?: Buffer): Promise<ImportJob> {
  const sent = request(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body ? { 'content-length': body.length } : {}) },
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await answer.toArray()).join('')
  if (answer.statusCode !== (body ? 201 : 200))
    throw new Error(`The import was answered with ${answer.statusCode}: ${text}`)
  return (JSON.parse(text) as { data: ImportJob }).data
}

async function copyLeads(owner: Stage['owner'], workspaceId: string, lines: readonly string[]): Promise<void> {
  const client = await owner.connect()
  try {
    const columns =
      'workspace_id, id, first_name, last_name, company_name, email, phone, status, pipeline_id, stage_id, owner_id, created_by_id'
    await client.query('BEGIN')
    const stream = client.query(copyFrom(countedCopy(`COPY leads (${columns}) FROM STDIN`)))
    stream.end(`${lines.join('\n')}\n`)
    await finished(stream)
    await client.query(countCopied('leads'), [workspaceId, lines.map((line) => line.split('\t')[1])])
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}
