import { company, contact, deal, entitiesWith, referencesTo, lead } from '@crm/model'
import { feedRecordsMax } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { sightOf } from '../../kinds/in-sight.ts'
import { kindOf } from '../../kinds/kinds.ts'
import type { RecordLink } from '../../kinds/record-links.ts'
import type { CrmContext } from '../../platform/context.ts'
import type { LinkingEntity } from '../../records/link-filters.ts'
import { momentOf } from '../../records/moment.ts'
import type { RecordKind } from '../../records/owned/kind.ts'
import { existing, recordConditions } from '../../records/owned/list.ts'

const { deals, recordLinks, tasks } = schema

/** The lists that show the records linked to a record, and the filter of each list. */
const hanging: Readonly<Record<string, { readonly filter: string; readonly kinds: readonly string[] }>> = {
  [company.entity]: {
    filter: 'companyId',
    kinds: referencesTo('COMPANY').flatMap(({ from, name }) => (name === 'companyId' ? [from] : [])),
  },
  [contact.entity]: { filter: 'contactId', kinds: [lead.entity, deal.entity] },
  [deal.entity]: { filter: 'dealId', kinds: entitiesWith('numbered') },
}

/** The kinds that can be linked to any record. */
const linking: readonly LinkingEntity[] = ['ACTIVITY', 'TASK']

/** The records whose history a feed shows, and whether there are more. */
export interface FeedRecords {
  readonly records: readonly RecordLink[]
  readonly isTruncated: boolean
}

interface Found extends Record<string, unknown> {
  readonly entityType: string
  readonly entityId: string
}

type Reader = Pick<CrmContext, 'at' | 'workspace' | 'scopeIfAllowed'>

/**
 * Returns a record with the records linked to it, as far as the caller sees them: the records of the table above, and the
 * activities and tasks of each. Of more than `feedRecordsMax` records it returns the newest.
 */
export async function recordsAround(db: Executor, context: Reader, anchor: RecordLink): Promise<FeedRecords> {
  const near = await select(db, nearby(context, anchor))
  const first = [anchor, ...near.map(toLink)]
  const work = await select(db, workOn(context, first))
  const others = [...near, ...work].toSorted((a, b) => compareTexts(b.createdAt, a.createdAt))
  const known = new Map(others.map((found) => [`${found.entityType}:${found.entityId}`, toLink(found)]))
  known.delete(`${anchor.entityType}:${anchor.entityId}`)
  return {
    records: [anchor, ...[...known.values()].slice(0, feedRecordsMax)],
    isTruncated: known.size > feedRecordsMax,
  }
}

interface Dated extends Found {
  /** The digits of the moment, which sort in the order of time. */
  readonly createdAt: string
}

async function select(db: Executor, parts: readonly SQL[]): Promise<readonly Dated[]> {
  if (parts.length === 0) return []
  const { rows } = await db.execute<Dated>(
    sql`SELECT "entityType", "entityId", extract(epoch FROM "createdAt")::text AS "createdAt" FROM (${sql.join([...parts], sql` UNION `)}) AS found
      ORDER BY found."createdAt" DESC, "entityId" DESC LIMIT ${feedRecordsMax + 1}`,
  )
  return rows
}

function compareTexts(one: string, other: string): number {
  return Number(one) - Number(other)
}

function toLink({ entityType, entityId }: RecordLink): RecordLink {
  return { entityType, entityId }
}

/** Returns the newest records of a kind for which a condition holds, as a part of a union. */
function newest({ entityType, table }: RecordKind, where: SQL): SQL {
  return sql`(SELECT ${entityType}::text AS "entityType", ${table.id} AS "entityId", ${table.createdAt} AS "createdAt" FROM ${table}
    WHERE ${where} ORDER BY ${table.createdAt} DESC, ${table.id} DESC LIMIT ${feedRecordsMax + 1})`
}

function nearby(context: Reader, { entityType, entityId }: RecordLink): SQL[] {
  const { filter = '', kinds = [] } = hanging[entityType] ?? {}
  const parts = kinds.flatMap((name) => {
    const [kind, scope] = [kindOf(name), sightOf(context, name)]
    return kind && scope ? [newest(kind, recordConditions(kind, scope, { [filter]: entityId }, momentOf(context)))] : []
  })
  return entityType === 'DEAL' ? [...parts, ...leadOf(context, entityId)] : parts
}

/** Returns the query for the lead that became a deal. */
function leadOf(context: Reader, dealId: string): SQL[] {
  const [kind, scope] = [kindOf(lead.entity), sightOf(context, lead.entity)]
  if (!kind || !scope) return []
  const ofDeal = and(eq(deals.workspaceId, context.workspace.id), eq(deals.id, dealId))
  const isLead = sql`${kind.table.id} = (SELECT ${deals.leadId} FROM ${deals} WHERE ${ofDeal})`
  return [newest(kind, and(existing(kind, scope), isLead) as SQL)]
}

/** Returns the queries for the activities and tasks of records; a project also has the tasks that name it. */
function workOn(context: Reader, records: readonly RecordLink[]): SQL[] {
  const projects = records.filter(({ entityType }) => entityType === 'PROJECT').map(({ entityId }) => entityId)
  return linking.flatMap((fromType) => {
    const [kind, scope] = [kindOf(fromType), sightOf(context, fromType)]
    if (!kind || !scope) return []
    const { table } = kind
    const linked = sql`(SELECT ${fromType}::text AS "entityType", ${table.id} AS "entityId", ${table.createdAt} AS "createdAt"
      FROM ${recordsOf(records)} CROSS JOIN LATERAL (
        SELECT ${recordLinks.fromId} AS id FROM ${recordLinks}
        WHERE ${recordLinks.workspaceId} = ${context.workspace.id} AND ${recordLinks.entityType} = record.entity_type
          AND ${recordLinks.entityId} = record.entity_id AND ${recordLinks.fromType} = ${fromType}
        ORDER BY ${recordLinks.fromId} DESC LIMIT ${feedRecordsMax + 1}
      ) AS link JOIN ${table} ON ${and(existing(kind, scope), sql`${table.id} = link.id`)})`
    const isInProject = sql`${tasks.projectId} = ANY(${sql.param(projects)}::uuid[])`
    return fromType === 'TASK' && projects.length > 0
      ? [linked, newest(kind, and(existing(kind, scope), isInProject) as SQL)]
      : [linked]
  })
}

/** Returns records as rows of a statement, under the name `record`. */
export function recordsOf(records: readonly RecordLink[]): SQL {
  const types = records.map(({ entityType }) => entityType)
  const ids = records.map(({ entityId }) => entityId)
  return sql`unnest(${sql.param(types)}::text[], ${sql.param(ids)}::uuid[]) AS record (entity_type, entity_id)`
}
