import { lead } from '@crm/model'
import { compactCounts, countCopied, countedCopy, newId, schema, type Database } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { inventPerson, type Person } from './people.ts'
import { createRandom, type Random } from '@crm/runtime'

const batchRows = 50_000
const dayMs = 24 * 60 * 60 * 1000

/** The kinds of record that are written in bulk. */
export const generatedKinds = ['leads', 'contacts', 'deals', 'tasks'] as const
export type GeneratedKind = (typeof generatedKinds)[number]

type Cell = string | number | null

interface Recipe {
  readonly entityType: string
  /** The columns besides the ones that every record has. */
  readonly columns: readonly string[]
  /** Returns the values of these columns; `number` continues the existing numbers. */
  cells(places: Places, random: Random, person: Person, number: number): readonly Cell[]
}

interface Places {
  readonly leadStages: readonly Stage[]
  readonly dealStages: readonly Stage[]
  readonly owners: readonly { readonly id: string; readonly departmentId: string | null }[]
  readonly sources: readonly { readonly id: string }[]
}

interface Stage {
  readonly id: string
  readonly pipelineId: string
  readonly status: string | null
  readonly type: string
}

const recipes: Readonly<Record<GeneratedKind, Recipe>> = {
  leads: {
    entityType: lead.entity,
    columns: [
      'first_name',
      'last_name',
      'company_name',
      'email',
      'phone',
      'job_title',
      'status',
      'temperature',
      'score',
      'pipeline_id',
      'stage_id',
      'source_id',
    ],
    cells: ({ leadStages, sources }, random, person) => {
      const stage = random.pick(leadStages)
      const { firstName, lastName, companyName, email, phone, jobTitle } = person
      return [
        firstName,
        lastName,
        companyName,
        email,
        phone,
        jobTitle,
        stage.status,
        random.pick(['HOT', 'WARM', 'COLD', null]),
        random.below(100),
        stage.pipelineId,
        stage.id,
        random.pick(sources).id,
      ]
    },
  },
  contacts: {
    entityType: 'CONTACT',
    columns: ['first_name', 'last_name', 'email', 'phone', 'job_title'],
    cells: (_places, _random, { firstName, lastName, email, phone, jobTitle }) => [
      firstName,
      lastName,
      email,
      phone,
      jobTitle,
    ],
  },
  deals: {
    entityType: 'DEAL',
    columns: ['name', 'amount', 'currency', 'pipeline_id', 'stage_id', 'status', 'closed_at', 'custom_fields'],
    cells: ({ dealStages }, random, { companyName }) => {
      const stage = random.pick(dealStages)
      const closedAt = stage.type === 'OPEN' ? null : new Date().toISOString()
      return [
        companyName,
        (1 + random.below(400)) * 250,
        random.pick(['EUR', 'EUR', 'USD']),
        stage.pipelineId,
        stage.id,
        stage.type,
        closedAt,
        JSON.stringify({ contractMonths: 1 + random.below(60) }),
      ]
    },
  },
  tasks: {
    entityType: 'TASK',
    columns: ['number', 'title', 'status', 'priority', 'due_at'],
    cells: (_places, random, { companyName }, number) => [
      number,
      `${random.pick(['Call', 'Visit', 'Write to', 'Send the offer to'])} ${companyName}`,
      random.pick(['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'CANCELLED']),
      random.pick(['LOW', 'NORMAL', 'HIGH', 'URGENT']),
      new Date(Date.now() + (random.below(60) - 20) * dayMs).toISOString(),
    ],
  },
}

const columnsOfAll = ['workspace_id', 'id', 'owner_id', 'department_id', 'created_by_id', 'created_at', 'updated_at']

/** Writes `records` records of a kind into a workspace by COPY, spread over its stages, people and sources. */
export async function generateRecords(
  db: Database,
  pool: Pool,
  workspaceId: string,
  kind: GeneratedKind,
  records: number,
): Promise<{ records: number; seconds: number }> {
  const startedMs = performance.now()
  const places = await readPlaces(db, workspaceId)
  const random = createRandom(records)
  const { entityType } = recipes[kind]
  const firstNumber = kind === 'tasks' ? await drawNumbers(db, workspaceId, entityType, records) : 1
  for (let written = 0; written < records; written += batchRows) {
    const rows = Math.min(batchRows, records - written)
    await copyBatch(pool, kind, workspaceId, rows, (at, id) =>
      line([workspaceId, id], recipes[kind], places, random, {
        serial: written + at,
        number: firstNumber + written + at,
      }),
    )
  }
  await compactCounts(db, workspaceId, entityType)
  await tidy(pool, kind)
  return { records, seconds: Math.round((performance.now() - startedMs) / 100) / 10 }
}

/** Tells PostgreSQL what a table holds now. VACUUM takes no transaction around it, which a pool gives each statement of its own behind a pooler. */
async function tidy(pool: Pool, table: GeneratedKind): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`VACUUM ANALYZE ${table}`)
  } finally {
    client.release()
  }
}

/** Draws `n` numbers at once and returns the first of them. */
async function drawNumbers(db: Database, workspaceId: string, entityType: string, n: number): Promise<number> {
  const { recordNumbers } = schema
  return db.transaction(async (tx) => {
    const of = and(eq(recordNumbers.workspaceId, workspaceId), eq(recordNumbers.entityType, entityType))
    await tx.insert(recordNumbers).values({ workspaceId, entityType, last: 0 }).onConflictDoNothing()
    const [row] = await tx.select({ last: recordNumbers.last }).from(recordNumbers).where(of).for('update')
    const last = row?.last ?? 0
    await tx
      .update(recordNumbers)
      .set({ last: last + n })
      .where(of)
    return last + 1
  })
}

async function readPlaces(db: Database, workspaceId: string): Promise<Places> {
  const { stages, employees, leadSources, pipelines } = schema
  const found = await db
    .select({
      id: stages.id,
      pipelineId: stages.pipelineId,
      status: stages.mappedStatus,
      type: stages.type,
      entityType: pipelines.entityType,
    })
    .from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(eq(stages.workspaceId, workspaceId))
  const owners = await db
    .select({ id: employees.id, departmentId: employees.departmentId })
    .from(employees)
    .where(eq(employees.workspaceId, workspaceId))
  const sources = await db
    .select({ id: leadSources.id })
    .from(leadSources)
    .where(eq(leadSources.workspaceId, workspaceId))
  const leadStages = found.filter(
    ({ entityType, status }) => entityType === lead.entity && status !== null && status !== 'CONVERTED',
  )
  return { leadStages, dealStages: found.filter(({ entityType }) => entityType === 'DEAL'), owners, sources }
}

async function copyBatch(
  pool: Pool,
  kind: GeneratedKind,
  workspaceId: string,
  rows: number,
  lineAt: (at: number, id: string) => string,
): Promise<void> {
  const client = await pool.connect()
  const ids = Array.from({ length: rows }, newId)
  try {
    await client.query('BEGIN')
    const columns = [...columnsOfAll, ...recipes[kind].columns].join(', ')
    const stream = client.query(copyFrom(countedCopy(`COPY ${kind} (${columns}) FROM STDIN`)))
    for (const [at, id] of ids.entries()) {
      if (!stream.write(lineAt(at, id))) await once(stream, 'drain')
    }
    stream.end()
    await finished(stream)
    await client.query(countCopied(kind), [workspaceId, ids])
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

function line(
  key: readonly [workspaceId: string, id: string],
  recipe: Recipe,
  places: Places,
  random: Random,
  { serial, number }: { serial: number; number: number },
): string {
  const owner = random.pick(places.owners)
  const at = new Date(Date.now() - Math.floor(random.next() * 365 * dayMs)).toISOString()
  const own = recipe.cells(places, random, inventPerson(random, serial), number)
  return `${[...key, owner.id, owner.departmentId, owner.id, at, at, ...own].map((cell) => (cell === null ? '\\N' : String(cell))).join('\t')}\n`
}
