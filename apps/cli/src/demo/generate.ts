import { compactCounts, newId, schema, type Database } from '@crm/db'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { inventPerson } from './people.ts'
import { createRandom, type Random } from './random.ts'

const batchRows = 50_000
const dayMs = 24 * 60 * 60 * 1000
const columns = [
  'workspace_id', 'id', 'first_name', 'last_name', 'company_name', 'email', 'phone', 'job_title', 'status', 'temperature', 'score', 'pipeline_id',
  'stage_id', 'source_id', 'owner_id', 'department_id', 'created_by_id', 'created_at', 'updated_at',
]

interface Places {
  readonly stages: readonly { readonly id: string; readonly pipelineId: string; readonly status: string }[]
  readonly owners: readonly { readonly id: string; readonly departmentId: string | null }[]
  readonly sources: readonly { readonly id: string }[]
}

/** Writes so many leads into a workspace by COPY, spread over its stages, people and sources. */
export async function generateLeads(db: Database, pool: Pool, workspaceId: string, count: number): Promise<{ leads: number; seconds: number }> {
  const startedMs = performance.now()
  const places = await readPlaces(db, workspaceId)
  const random = createRandom(count)
  for (let written = 0; written < count; written += batchRows) {
    await copyBatch(pool, workspaceId, places, random, written, Math.min(batchRows, count - written))
  }
  await compactCounts(db, workspaceId, 'LEAD')
  await pool.query('VACUUM ANALYZE leads')
  return { leads: count, seconds: Math.round((performance.now() - startedMs) / 100) / 10 }
}

async function readPlaces(db: Database, workspaceId: string): Promise<Places> {
  const { stages, employees, leadSources, pipelines } = schema
  const found = await db.select({ id: stages.id, pipelineId: stages.pipelineId, status: stages.mappedStatus }).from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(and(eq(stages.workspaceId, workspaceId), eq(pipelines.entityType, 'LEAD'), isNotNull(stages.mappedStatus), ne(stages.mappedStatus, 'CONVERTED')))
  const owners = await db.select({ id: employees.id, departmentId: employees.departmentId }).from(employees).where(eq(employees.workspaceId, workspaceId))
  const sources = await db.select({ id: leadSources.id }).from(leadSources).where(eq(leadSources.workspaceId, workspaceId))
  return { stages: found.map((stage) => ({ ...stage, status: stage.status as string })), owners, sources }
}

async function copyBatch(pool: Pool, workspaceId: string, places: Places, random: Random, from: number, count: number): Promise<void> {
  const client = await pool.connect()
  try {
    const stream = client.query(copyFrom(`COPY leads (${columns.join(', ')}) FROM STDIN`))
    for (let at = 0; at < count; at += 1) {
      if (!stream.write(leadLine(workspaceId, places, random, from + at))) await once(stream, 'drain')
    }
    stream.end()
    await finished(stream)
  } finally {
    client.release()
  }
}

function leadLine(workspaceId: string, { stages, owners, sources }: Places, random: Random, serial: number): string {
  const person = inventPerson(random, serial)
  const stage = random.pick(stages)
  const owner = random.pick(owners)
  const at = new Date(Date.now() - Math.floor(random.next() * 365 * dayMs)).toISOString()
  const temperature = random.pick(['HOT', 'WARM', 'COLD', null])
  const values = [
    workspaceId, newId(), person.firstName, person.lastName, person.companyName, person.email, person.phone, person.jobTitle, stage.status, temperature,
    random.below(100), stage.pipelineId, stage.id, random.pick(sources).id, owner.id, owner.departmentId, owner.id, at, at,
  ]
  return `${values.map((value) => (value === null ? '\\N' : String(value))).join('\t')}\n`
}
