import { writeRows, kindTables, schema, type Executor, type FieldChange } from '@crm/db'
import type { EntityOfKind, StagedEntity } from '@crm/model'
import type { Random } from '@crm/runtime'
import { and, asc, eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Member } from './members.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A record that things happen to. */
export interface RecordRef {
  readonly entityType: string
  readonly entityId: string
}

/** A person outside the workspace who has booked a meeting. */
interface Guest {
  readonly id: null
  readonly name: string
}

/** An action that somebody took on a record. */
export interface Happening extends RecordRef {
  readonly kind: string
  readonly at: string
  readonly by: Member | Guest
  readonly changes?: FieldChange[]
  readonly data?: Record<string, unknown>
  readonly relatedType?: string
  readonly relatedId?: string
}

/** The events of the demo workspace, collected while its records are made. */
export interface History {
  add(...happenings: readonly Happening[]): void
  /** Adds a comment on a record. */
  comment(on: RecordRef, body: string, at: string, by: Member): void
  /** Writes everything in chronological order, which is also the order of the ids. */
  write(tx: Executor, workspaceId: string): Promise<void>
}

/** A file that somebody has uploaded for some records. */
interface DemoFile {
  readonly name: string
  /** The content type that the bytes themselves show. */
  readonly contentType: string
  readonly content: Uint8Array
  readonly links: readonly RecordRef[]
  readonly by: Member
  readonly at: string
}

/** Collects the files of the demo while it is made. */
export interface Shelf {
  /** Stores the row of a file and returns its id; its bytes wait. */
  add(story: Omit<Story, 'shelf'>, file: DemoFile): Promise<string>
  /** Stores the bytes of all files, or of none. */
  keep(): Promise<void>
  /** Deletes the stored bytes of files whose rows were rolled back. */
  discard(): Promise<void>
}

/** What happened in the demo workspace before its first visit: where it is told, by whom, and what has been told so far. */
export interface Story {
  readonly tx: Executor
  readonly workspaceId: string
  readonly adminId: string
  readonly members: readonly Member[]
  readonly random: Random
  readonly now: string
  readonly history: History
  readonly shelf: Shelf
}

type TableOfWorkspace = PgTable & { readonly workspaceId: PgColumn }
type Row<Table extends PgTable> = Omit<Table['$inferInsert'], 'workspaceId'>

/** Adds rows to a table of the workspace. */
export async function add<Table extends TableOfWorkspace>(
  { tx, workspaceId }: Pick<Story, 'tx' | 'workspaceId'>,
  table: Table,
  rows: readonly Row<Table>[],
): Promise<void> {
  if (rows.length === 0) return
  const insert = tx.insert(table).values(rows.map((row) => ({ workspaceId, ...row })) as never)
  await writeRows(tx, table, insert.getSQL())
}

/** A record with its id, who made it, when, and of what. */
type Made<Columns> = Columns & {
  readonly id: string
  readonly by: Member
  readonly at: string
  readonly madeOf?: { readonly relatedType: string; readonly relatedId: string } | null
}

/** Adds records of a kind, owned by who made them, and tells of it. */
export async function addRecords<Entity extends EntityOfKind>(
  story: Story,
  entityType: Entity,
  records: readonly Made<Row<(typeof kindTables)[Entity]>>[],
): Promise<void> {
  const rows = records.map(({ by, at, madeOf: _madeOf, ...row }) => ({ ...madeBy(by, at), ...row }))
  await add(story, kindTables[entityType] as TableOfWorkspace, rows as never)
  story.history.add(
    ...records.map(({ id, by, at, madeOf }) => ({ entityType, entityId: id, kind: 'CREATED', at, by, ...madeOf })),
  )
}

/** Adds the links of activities or tasks to the records that they are about. */
export function addLinks(
  story: Story,
  fromType: 'ACTIVITY' | 'TASK',
  links: readonly { readonly fromId: string; readonly to: readonly RecordRef[] }[],
): Promise<void> {
  const rows = links.flatMap(({ fromId, to }) => to.map((record) => ({ fromType, fromId, ...record })))
  return add(story, schema.recordLinks, rows)
}

/** Returns the ids of the rows of a table in the workspace by their names. */
export async function idsByName(
  { tx, workspaceId }: Story,
  table: TableOfWorkspace & { readonly id: PgColumn; readonly name: PgColumn },
): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: table.id, name: table.name })
    .from<PgTable>(table)
    .where(eq(table.workspaceId, workspaceId))
  return new Map(rows.map(({ id, name }) => [name as string, id as string]))
}

/** The part of a stage that records need. */
export type Stage = Pick<
  typeof schema.stages.$inferSelect,
  'id' | 'pipelineId' | 'type' | 'mappedStatus' | 'probability'
>

/** The stages of each pipeline of a kind, in order. */
export async function readPipelines({ tx, workspaceId }: Story, entityType: StagedEntity): Promise<Stage[][]> {
  const { stages, pipelines } = schema
  const { id, pipelineId, type, mappedStatus, probability } = stages
  const found = await tx
    .select({ id, pipelineId, type, mappedStatus, probability })
    .from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(and(eq(stages.workspaceId, workspaceId), eq(pipelines.entityType, entityType)))
    .orderBy(asc(stages.pipelineId), asc(stages.position))
  return [...Map.groupBy(found, (stage) => stage.pipelineId).values()]
}

/** Picks a person whose role lets them work with records. */
export function pickOwner({ members, random }: Story): Member {
  return random.pick(members.filter(({ writes }) => writes))
}

/** Returns the member of a list whose turn it is when they take turns. */
export function inTurn<T>(members: readonly T[], at: number): T {
  return members[at % members.length] as T
}

/** Returns the columns of a record that tell who made it and when. */
export function madeBy(owner: Member, createdAt: string) {
  return { ownerId: owner.id, departmentId: owner.departmentId, createdById: owner.id, createdAt, updatedAt: createdAt }
}

/** Returns a moment within the last 200 days; recent moments are more frequent. */
export function born({ random, now }: Story): string {
  return new Date(Date.parse(now) - Math.floor(random.next() ** 2 * 200 * dayMs) - 60_000).toISOString()
}

/** Returns a moment between two others, within the working hours of its day if they leave room for it. */
export function between({ random }: Story, from: string, to: string): string {
  const fromMs = Date.parse(from)
  const toMs = Math.max(fromMs, Date.parse(to))
  const at = new Date(fromMs + random.next() * (toMs - fromMs))
  at.setUTCHours(7 + random.below(9), 15 * random.below(4), 0, 0)
  return new Date(Math.min(Math.max(at.getTime(), fromMs), toMs)).toISOString()
}

/** Returns the moment `days` days after another one, or before it when negative. */
export function later(at: string, days: number): string {
  return new Date(Date.parse(at) + days * dayMs).toISOString()
}

/** The earlier of two moments. */
export function soonest(one: string, other: string): string {
  return one < other ? one : other
}

/** Returns the moment `days` days from now, at a full hour of the working day. */
export function daysAhead({ random, now }: Story, days: number): string {
  const at = new Date(later(now, days))
  at.setUTCHours(7 + random.below(9), 0, 0, 0)
  return at.toISOString()
}

/** Returns the day of a moment. */
export function dayOf(at: string): string {
  return at.slice(0, 10)
}
