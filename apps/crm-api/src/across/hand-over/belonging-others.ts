import type { Belongings, BelongingType } from '@crm/contract'
import { schema, type Executor, type RecordTable, type Transaction } from '@crm/db'
import type { Permission } from '@crm/permissions'
import { and, asc, eq, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const {
  apiKeys,
  automationRules,
  bookingLinks,
  bookings,
  dashboards,
  oauthClients,
  oauthGrants,
  savedFilters,
  workflows,
} = schema

/** Things of one type that belong to people and are no records. */
interface Others {
  readonly type: BelongingType
  readonly table: RecordTable
  /** The column with the person. */
  readonly person: PgColumn
  readonly name: SQLWrapper
  /** A condition for those that count. */
  readonly where?: SQL
  /** The permission without which nobody gives them to others; null: none besides that to manage people. */
  readonly permission: Permission | null
  /** `AS_PERSON`: they act with the rights of their person. `ENDS`: nobody else can have them. */
  readonly kind: 'PLAIN' | 'AS_PERSON' | 'ENDS'
  /** What changes with the person besides. */
  readonly besides?: SQL
}

const others: readonly Others[] = [
  {
    type: 'BOOKING_LINK',
    table: bookingLinks,
    person: bookingLinks.organizerId,
    name: bookingLinks.name,
    permission: 'MANAGE_BOOKING',
    kind: 'PLAIN',
  },
  {
    type: 'DASHBOARD',
    table: dashboards,
    person: dashboards.ownerId,
    name: dashboards.name,
    permission: null,
    kind: 'PLAIN',
    // Everybody has one home of their own, and the new owner has theirs.
    besides: sql`is_home = is_home AND visibility = 'WORKSPACE'`,
  },
  {
    type: 'SAVED_FILTER',
    table: savedFilters,
    person: savedFilters.ownerId,
    name: savedFilters.name,
    permission: null,
    kind: 'PLAIN',
  },
  {
    type: 'WORKFLOW',
    table: workflows,
    person: workflows.runAsId,
    name: workflows.name,
    permission: 'MANAGE_WORKFLOWS',
    kind: 'AS_PERSON',
  },
  {
    type: 'AUTOMATION_RULE',
    table: automationRules,
    person: automationRules.createdById,
    name: automationRules.name,
    permission: 'MANAGE_WORKFLOWS',
    kind: 'AS_PERSON',
  },
  {
    type: 'API_KEY',
    table: apiKeys,
    person: apiKeys.ownerId,
    name: apiKeys.name,
    where: isNull(apiKeys.revokedAt),
    permission: null,
    kind: 'ENDS',
  },
  {
    type: 'CONNECTION',
    table: oauthGrants,
    person: oauthGrants.employeeId,
    name: sql`(SELECT c.name FROM ${oauthClients} c WHERE c.workspace_id = ${oauthGrants.workspaceId} AND c.id = ${oauthGrants.clientId})`,
    where: isNull(oauthGrants.revokedAt),
    permission: null,
    kind: 'ENDS',
  },
]

const namesShown = 20

/** The most things of one type that one hand-over moves. */
const movedMax = 1_000

/** What the one who hands over may do. */
export interface Giver {
  readonly effective: ReadonlySet<string>
  /** Whether they may let automation act with the rights of everybody who gets something. */
  readonly mayActAsReceivers: boolean
}

function moves({ kind, permission }: Others, { effective, mayActAsReceivers }: Giver): boolean {
  if (kind === 'ENDS' || (permission !== null && !effective.has(permission))) return false
  return kind === 'PLAIN' || mayActAsReceivers
}

/** Counts the things of a person that are no records. */
export async function countOthers(
  db: Executor,
  workspaceId: string,
  personId: string,
  giver: Giver,
): Promise<Belongings['others']> {
  const counted: Belongings['others'] = []
  for (const one of others) {
    const { rows } = await db.execute<{ name: string; total: number }>(sql`
      SELECT ${one.name} AS name, count(*) OVER ()::int AS total FROM ${one.table}
      WHERE ${and(eq(one.table.workspaceId, workspaceId), eq(one.person, personId), one.where)}
      ORDER BY ${asc(one.table.id)} LIMIT ${namesShown}`)
    const [first] = rows
    if (first)
      counted.push({
        type: one.type,
        count: first.total,
        names: rows.map(({ name }) => name),
        fate: moves(one, giver) ? 'MOVES' : 'STOPS',
      })
  }
  return counted
}

/** A thing that a hand-over moved, as its undoing needs it. */
export interface MovedOther {
  readonly type: BelongingType
  readonly id: string
  readonly to: string
}

/** Gives the things of a person to others, in turn. */
export async function moveOthers(
  tx: Transaction,
  workspaceId: string,
  {
    personId,
    toIds,
    kinds,
  }: { readonly personId: string; readonly toIds: readonly string[]; readonly kinds: readonly string[] },
  giver: Giver,
): Promise<readonly MovedOther[]> {
  const moved: MovedOther[] = []
  for (const one of others.filter(({ type }) => kinds.includes(type)).filter((each) => moves(each, giver))) {
    const rows = await tx
      .select({ id: one.table.id })
      .from(one.table as unknown as typeof dashboards)
      .where(and(eq(one.table.workspaceId, workspaceId), eq(one.person, personId), one.where))
      .orderBy(asc(one.table.id))
      .limit(movedMax)
      .for('update')
    const given = rows.map(({ id }, at) => ({
      type: one.type,
      id: id as string,
      to: toIds[at % toIds.length] as string,
    }))
    await setPerson(tx, workspaceId, one, given)
    moved.push(...given)
  }
  return moved
}

/** Gives things back to the person who had them, where nobody gave them to somebody else since. */
export async function moveOthersBack(
  tx: Transaction,
  workspaceId: string,
  personId: string,
  moved: readonly MovedOther[],
): Promise<number> {
  let back = 0
  for (const one of others) {
    const ofType = moved.filter(({ type }) => type === one.type)
    back += await setPerson(
      tx,
      workspaceId,
      one,
      ofType.map(({ type, id, to }) => ({ type, id, to: personId, from: to })),
    )
  }
  return back
}

async function setPerson(
  tx: Transaction,
  workspaceId: string,
  { table, person, besides }: Others,
  given: readonly (MovedOther & { readonly from?: string })[],
): Promise<number> {
  if (given.length === 0) return 0
  const column = sql.identifier(person.name)
  const { rowCount } = await tx.execute(sql`
    UPDATE ${table} SET ${column} = given."to" ${besides ? sql`, ${besides}` : sql``}
    FROM jsonb_to_recordset(${sql.param(JSON.stringify(given))}::jsonb) AS given (id uuid, "to" uuid, "from" uuid)
    WHERE ${table.workspaceId} = ${workspaceId} AND ${table.id} = given.id AND coalesce(${person} = given."from", given."from" IS NULL)`)
  return rowCount ?? 0
}

/** The condition for the confirmed bookings of a person that are still to come. */
export function isUpcoming(workspaceId: string, personId: string, at: string): SQL {
  return and(
    eq(bookings.workspaceId, workspaceId),
    eq(bookings.organizerId, personId),
    eq(bookings.status, 'CONFIRMED'),
    sql`${bookings.startAt} > ${at}`,
  ) as SQL
}
