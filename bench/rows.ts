import { randomUUID } from 'node:crypto'
import { measure, type Load, type LoadRequest } from './load.ts'
import type { LoadedWorkspace, Process, Stage } from './stage.ts'

/** A route of ours against its floor. */
export interface RatioRow {
  readonly what: string
  readonly ours: Load
  readonly floor: Load
  /** By default the same as for every other row. */
  readonly connections?: number
  /** The promised minimum of the ratio; null where there is none. */
  readonly atLeast: number | null
  /** The most processor time of our process for a request, of what a list of 20 costs the floor. */
  readonly costMax?: number
}

/** A route of ours against its floor, one request at a time. */
export interface LatencyRow {
  readonly what: string
  readonly ours: Load
  readonly floor: Load
  readonly promised: string
}

/** A route of ours on a large workspace against the same on a small one. */
export interface GrowthRow {
  readonly what: string
  readonly on: (workspace: LoadedWorkspace) => Load
  readonly atMost: number
}

type Build = (n: number) => LoadRequest

function withKeys({ host, keys }: LoadedWorkspace, build: Build): Build {
  return (n) => {
    const request = build(n)
    return { ...request, headers: { host, authorization: `Bearer ${keys[n % keys.length]}`, ...request.headers } }
  }
}

const get =
  (path: string): Build =>
  () => ({ path })

/** Returns a search term that finds one generated lead by the unique part of its address. */
const searchTerm = (workspace: LoadedWorkspace, n: number): string =>
  `.${((n * 7919) % Math.min(workspace.leads, 9_000)) + 1_000}@`

/** Returns the rows of the CRM API. */
export function crmApiRows(api: Process, floor: Process, { workspace: workspaceOf }: Stage, size: number): RatioRow[] {
  const workspace = workspaceOf(size)
  const ws = `ws=${workspace.workspaceId}`
  const ours = (build: Build, status = 200): Load => ({ on: api, status, request: withKeys(workspace, build) })
  const bare = (build: Build, status = 200): Load => ({ on: floor, status, request: build })
  const lead = (n: number): string => workspace.leadIds[n % workspace.leadIds.length] ?? ''
  const json = { 'content-type': 'application/json' }
  const person = (n: number) => ({
    firstName: 'Load',
    lastName: `Test ${n}`,
    email: `load.${n}.${randomUUID()}@example.com`,
  })
  return [
    {
      what: 'list of 20 with total',
      ours: ours(get('/api/leads')),
      floor: bare(get(`/list?${ws}`)),
      atLeast: 0.4,
      costMax: 1.25,
    },
    {
      what: 'list filtered by status',
      ours: ours(get('/api/leads?status=QUALIFIED')),
      floor: bare(get(`/status?${ws}&status=QUALIFIED`)),
      atLeast: null,
      costMax: 1.5,
    },
    {
      what: 'search',
      ours: ours((n) => ({ path: `/api/leads?search=${encodeURIComponent(searchTerm(workspace, n))}` })),
      floor: bare((n) => ({ path: `/search?${ws}&q=${encodeURIComponent(searchTerm(workspace, n))}` })),
      atLeast: null,
      costMax: 1.5,
    },
    {
      what: 'read one',
      ours: ours((n) => ({ path: `/api/leads/${lead(n)}` })),
      floor: bare((n) => ({ path: `/lead?${ws}&id=${lead(n)}` })),
      atLeast: 0.4,
      costMax: 0.7,
    },
    {
      what: 'create (timeline, outbox, idempotency key)',
      ours: ours(
        (n) => ({
          method: 'POST',
          path: '/api/leads',
          headers: { ...json, 'idempotency-key': randomUUID() },
          body: JSON.stringify(person(n)),
        }),
        201,
      ),
      floor: bare(
        (n) => ({
          method: 'POST',
          path: `/lead?${ws}`,
          headers: json,
          body: JSON.stringify({ ...person(n), ...placeOf(workspace) }),
        }),
        201,
      ),
      atLeast: 0.25,
      costMax: 2,
    },
    { what: 'GET /api/me/scopes', ours: ours(get('/api/me/scopes')), floor: bare(get(`/key?${ws}`)), atLeast: null },
  ]
}

/** The pipeline and stage of the floor's leads; filled by `prepareFloor`. */
const places = new WeakMap<LoadedWorkspace, { pipelineId: string; stageId: string; ownerId: string }>()

function placeOf(workspace: LoadedWorkspace) {
  return places.get(workspace)
}

/** Looks up the records that the floor's inserts refer to. */
export async function prepareFloor({ owner }: Stage, workspace: LoadedWorkspace): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(
    'SELECT id FROM stages WHERE workspace_id = $1 AND pipeline_id = $2 ORDER BY position LIMIT 1',
    [workspace.workspaceId, workspace.leadPipelineId],
  )
  places.set(workspace, {
    pipelineId: workspace.leadPipelineId,
    stageId: rows[0]?.id ?? '',
    ownerId: workspace.adminUserId,
  })
}

/** Uses every key once, as has happened in a running installation. */
export async function meetKeys(api: Process, { host, keys }: LoadedWorkspace): Promise<void> {
  const load: Load = {
    on: api,
    status: 200,
    request: (n) => ({ path: '/api/me', headers: { host, authorization: `Bearer ${keys[n % keys.length]}` } }),
  }
  await measure(load, 4, 2)
}

/** Measures the growth of latency from the small workspace to the large one. */
export function growthRows(api: Process): GrowthRow[] {
  const on =
    (build: (workspace: LoadedWorkspace) => Build) =>
    (workspace: LoadedWorkspace): Load => ({
      on: api,
      status: 200,
      request: withKeys(workspace, build(workspace)),
    })
  return [
    { what: 'list of 20 with total', on: on(() => get('/api/leads')), atMost: 1.5 },
    { what: 'list filtered by status', on: on(() => get('/api/leads?status=QUALIFIED')), atMost: 3 },
    {
      what: 'search',
      on: on((workspace) => (n) => ({ path: `/api/leads?search=${encodeURIComponent(searchTerm(workspace, n))}` })),
      atMost: 4,
    },
  ]
}
