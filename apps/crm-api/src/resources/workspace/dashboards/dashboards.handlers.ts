import { dashboards, success, type DashboardPatch, type DashboardRecord, type WidgetInput } from '@crm/contract'
import { newId, type DashboardWidget, type Executor, type Transaction } from '@crm/db'
import { ApiError, invalidField, permissionRequired } from '@crm/errors'
import { isDeepStrictEqual } from 'node:util'
import { implement, type CrmContext } from '../../../platform/context.ts'
import type { Reader } from '../../../records/shared-with.ts'
import { offsetOf, pageOf } from '../../../records/pages.ts'
import {
  clearHome,
  deleteDashboard,
  findDashboard,
  findHome,
  insertDashboard,
  listDashboards,
  updateDashboard,
  type DashboardRow,
  type DashboardValues,
} from './dashboards.repository.ts'
import { objectionsTo, readAnswerable } from './widgets.ts'

export const implementedDashboards = implement(dashboards, {
  list: async ({ query }, context) => {
    const page = { limit: query.pageSize, offset: offsetOf(query), locale: context.workspace.locale }
    const { items, total } = await listDashboards(context.db, readerOf(context), query.search, page)
    return pageOf({ items: await showDashboards(context.db, context, items), total }, query)
  },

  home: async (_asked, context) => showOne(context.db, context, await findHome(context.db, readerOf(context))),

  get: async ({ params }, context) =>
    showOne(context.db, context, await requireDashboard(context.db, context, params.id)),

  create: async ({ body }, context) =>
    context.transact(async (tx) => {
      requireManaging(context, body.visibility ?? 'PRIVATE')
      const values = await valuesOf(tx, context, [], body)
      const made = { ownerId: context.caller.employee.id, visibility: body.visibility ?? 'PRIVATE' }
      if (body.isHome) await clearHome(tx, context.workspace.id, homeOf(made))
      return showOne(
        tx,
        context,
        await insertDashboard(tx, readerOf(context), { ...values, name: body.name }, context.at),
      )
    }),

  update: async ({ params, body }, context) =>
    context.transact(async (tx) => {
      const current = await requireOwnDashboard(tx, context, params.id)
      const next = { ...current, ...body, ownerId: current.ownerId ?? context.caller.employee.id }
      requireManaging(context, next.visibility)
      const values = await valuesOf(tx, context, current.widgets, body)
      if (isWorkspaceHome(current) && !isWorkspaceHome(next)) throw context.refuse('HOME_DASHBOARD')
      await passHome(tx, context, current, next)
      const owned = next.visibility === 'WORKSPACE' ? values : { ...values, ownerId: next.ownerId }
      return showOne(
        tx,
        context,
        required(await updateDashboard(tx, context.workspace.id, params.id, owned, context.at)),
      )
    }),

  delete: async ({ params }, context) =>
    context.transact(async (tx) => {
      const current = await requireOwnDashboard(tx, context, params.id)
      if (isWorkspaceHome(current)) throw context.refuse('HOME_DASHBOARD')
      await deleteDashboard(tx, context.workspace.id, params.id)
      return success({ id: params.id })
    }),
})

type Whose = Pick<DashboardRow, 'ownerId' | 'visibility'>
type Homely = Whose & Pick<DashboardRow, 'isHome'>

const isWorkspaceHome = ({ isHome, visibility }: Homely): boolean => isHome && visibility === 'WORKSPACE'

/** Returns the person whose home a dashboard can be; null for the home of the workspace. */
const homeOf = ({ ownerId, visibility }: Whose): string | null => (visibility === 'WORKSPACE' ? null : ownerId)

/** Moves the home to another dashboard, so that each person and the workspace have one home. */
async function passHome(tx: Transaction, { workspace }: CrmContext, current: Homely, next: Homely): Promise<void> {
  const isThere = current.isHome && homeOf(current) === homeOf(next)
  if (next.isHome && !isThere) await clearHome(tx, workspace.id, homeOf(next))
}

/** Refuses to make or change a shared dashboard for people who do not manage the workspace. */
function requireManaging({ caller }: CrmContext, visibility: DashboardRow['visibility']): void {
  const permission = 'MANAGE_WORKSPACE'
  if (visibility !== 'WORKSPACE' || caller.effective.has(permission)) return
  throw permissionRequired(permission)
}

async function requireOwnDashboard(db: Executor, context: CrmContext, id: string): Promise<DashboardRow> {
  const dashboard = await requireDashboard(db, context, id)
  requireManaging(context, dashboard.visibility)
  if (dashboard.visibility !== 'WORKSPACE' && dashboard.ownerId !== context.caller.employee.id)
    throw new ApiError('ACCESS_DENIED', { message: 'The dashboard belongs to another person' })
  return dashboard
}

async function requireDashboard(db: Executor, context: CrmContext, id: string): Promise<DashboardRow> {
  return required(await findDashboard(db, readerOf(context), id))
}

function required(row: DashboardRow | undefined): DashboardRow {
  if (!row) throw new ApiError('NOT_FOUND')
  return row
}

function readerOf({ workspace, caller: { employee } }: CrmContext): Reader {
  return { workspaceId: workspace.id, employeeId: employee.id, departmentId: employee.departmentId }
}

/** Returns the columns of a body; its widgets are checked like the requests that they make, unless they are unchanged. */
async function valuesOf(
  db: Executor,
  context: CrmContext,
  stored: readonly DashboardWidget[],
  { widgets, ...values }: DashboardPatch,
): Promise<DashboardValues> {
  if (!widgets) return values
  const written = widgets.map(withDefaults)
  await checkWidgets(db, context, stored, written)
  return { ...values, widgets: written }
}

function withDefaults({ id = newId(), periodField = null, source, ...widget }: WidgetInput): DashboardWidget {
  return { ...widget, id, periodField, source: { ...source, query: source.query ?? {} } }
}

async function checkWidgets(
  db: Executor,
  context: CrmContext,
  stored: readonly DashboardWidget[],
  widgets: readonly DashboardWidget[],
): Promise<void> {
  const again = widgets.findIndex(({ id }, at) => widgets.findIndex((other) => other.id === id) !== at)
  if (again >= 0) throw invalidField(['widgets', again, 'id'], 'Two widgets have this id')
  const wide = widgets.findIndex(({ x, w }) => x + w > 12)
  if (wide >= 0) throw invalidField(['widgets', wide, 'w'], 'It does not fit in the 12 columns')
  const isNew = (widget: DashboardWidget): boolean => !stored.some((known) => isSameQuestion(known, widget))
  const answerable = await readAnswerable(db, context, widgets.filter(isNew))
  const issues = widgets.flatMap((widget, at) => {
    const objections = isNew(widget) ? objectionsTo(widget, answerable, context) : []
    return objections.map((issue) => ({ ...issue, path: ['widgets', at, ...issue.path] }))
  })
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

/** Whether two widgets ask the same question; position and title may differ. */
function isSameQuestion(one: DashboardWidget, other: DashboardWidget): boolean {
  const questionOf = ({ id, type, source, periodField }: DashboardWidget) => ({ id, type, source, periodField })
  return isDeepStrictEqual(questionOf(one), questionOf(other))
}

async function showOne(db: Executor, context: CrmContext, row: DashboardRow) {
  const [shown] = await showDashboards(db, context, [row])
  return success(shown as DashboardRecord)
}

/** Shows dashboards, and which of their questions the caller may ask. */
async function showDashboards(
  db: Executor,
  context: CrmContext,
  rows: readonly DashboardRow[],
): Promise<DashboardRecord[]> {
  const answerable = await readAnswerable(
    db,
    context,
    rows.flatMap(({ widgets }) => widgets),
  )
  return rows.map((row) => ({
    ...row,
    widgets: row.widgets.map((widget) => ({
      ...widget,
      isAvailable: objectionsTo(widget, answerable, context).length === 0,
    })),
  }))
}
