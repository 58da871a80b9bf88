import type { DashboardPatch } from '@crm/contract'
import { newId, schema, type DashboardWidget, type Executor, type Page, type Transaction, inNameOrder } from '@crm/db'
import { and, asc, count, desc, eq, ne, or, sql, type SQL } from 'drizzle-orm'
import { searchCondition } from '../../../records/search-terms.ts'
import { sharedWith, type Reader } from '../../../records/shared-with.ts'
import { shownColumns } from '../../../records/shown-columns.ts'

const { dashboards } = schema
const columns = shownColumns(dashboards, 'dashboards')

export type DashboardRow = Omit<typeof dashboards.$inferSelect, 'workspaceId'>

/** The columns of a dashboard that are written. */
export type DashboardValues = Omit<DashboardPatch, 'widgets'> & { readonly widgets?: DashboardWidget[] }

/** Returns a page of the dashboards that a person sees, in their order, then by name, and the number of matches. */
export async function listDashboards(
  db: Executor,
  reader: Reader,
  search: string | undefined,
  page: { readonly limit: number; readonly offset: number; readonly locale: string },
): Promise<Page<DashboardRow>> {
  const where = and(sharedWith(dashboards, reader), searchCondition(search, sql`crm_searchable(${dashboards.name})`))
  const [total] = await db.select({ n: count() }).from(dashboards).where(where)
  const items = await db
    .select(columns)
    .from(dashboards)
    .where(where)
    .orderBy(asc(dashboards.position), inNameOrder(dashboards.name, page.locale), asc(dashboards.id))
    .limit(page.limit)
    .offset(page.offset)
  return { items, total: total?.n ?? 0 }
}

/** Returns one dashboard that a person sees. */
export async function findDashboard(db: Executor, reader: Reader, id: string): Promise<DashboardRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(dashboards)
    .where(and(sharedWith(dashboards, reader), eq(dashboards.id, id)))
  return row
}

/** Returns the dashboard that a person sees first: their own home, else the home of the workspace. */
export async function findHome(db: Executor, reader: Reader): Promise<DashboardRow> {
  const isOwn = and(eq(dashboards.ownerId, reader.employeeId), ne(dashboards.visibility, 'WORKSPACE')) as SQL
  const [row] = await db
    .select(columns)
    .from(dashboards)
    .where(
      and(
        eq(dashboards.workspaceId, reader.workspaceId),
        eq(dashboards.isHome, true),
        or(isOwn, eq(dashboards.visibility, 'WORKSPACE')),
      ),
    )
    .orderBy(desc(sql`${dashboards.visibility} <> 'WORKSPACE'`))
    .limit(1)
  if (!row) throw new Error('The workspace has no home')
  return row
}

/** Writes a new dashboard of a person. */
export async function insertDashboard(
  tx: Transaction,
  { workspaceId, employeeId }: Reader,
  values: DashboardValues & { readonly name: string },
  at: string,
): Promise<DashboardRow> {
  const stamps = { id: newId(), ownerId: employeeId, createdById: employeeId, createdAt: at, updatedAt: at }
  const [row] = await tx
    .insert(dashboards)
    .values({ ...values, ...stamps, workspaceId })
    .returning(columns)
  return row as DashboardRow
}

/** Changes a dashboard. */
export async function updateDashboard(
  tx: Transaction,
  workspaceId: string,
  id: string,
  values: DashboardValues & { readonly ownerId?: string },
  at: string,
): Promise<DashboardRow | undefined> {
  const [row] = await tx
    .update(dashboards)
    .set({ ...values, updatedAt: at })
    .where(isDashboard(workspaceId, id))
    .returning(columns)
  return row
}

/** Clears the home of the workspace, or with an owner the home of that person; changes of a home wait for each other. */
export async function clearHome(tx: Transaction, workspaceId: string, ownerId: string | null): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`home:${workspaceId}:${ownerId}`}, 0))`)
  const isWorkspaces = eq(dashboards.visibility, 'WORKSPACE')
  await tx
    .update(dashboards)
    .set({ isHome: false })
    .where(
      and(
        eq(dashboards.workspaceId, workspaceId),
        eq(dashboards.isHome, true),
        ownerId === null ? isWorkspaces : and(eq(dashboards.ownerId, ownerId), ne(dashboards.visibility, 'WORKSPACE')),
      ),
    )
}

/** Deletes a dashboard. */
export async function deleteDashboard(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.delete(dashboards).where(isDashboard(workspaceId, id))
}

function isDashboard(workspaceId: string, id: string): SQL {
  return and(eq(dashboards.workspaceId, workspaceId), eq(dashboards.id, id)) as SQL
}
