import type { DashboardRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { useKind } from '../../records/record-kinds.ts'
import { savedViewsQuery } from './dashboard-queries.ts'
import { drillDown, entityTypeOf, paramsOf, type Row, type Widget } from './questions.ts'

/** Returns the address of the list of the records that a group of a widget counts; undefined until its parts are known. */
export type DrillDown = ((values: NonNullable<Row['values']>) => string) | undefined

/** Returns the way from the groups of a widget to their records. */
export function useDrillDown(widget: Widget, period: DashboardRecord['period']): DrillDown {
  const { savedFilterId, resource } = widget.source
  const entityType = entityTypeOf(resource)
  const kind = useKind(entityType)
  const views = useQuery({ ...savedViewsQuery(entityType), enabled: savedFilterId !== undefined })
  const view = views.data?.find(({ id }) => id === savedFilterId)
  if (kind === undefined || (savedFilterId !== undefined && view === undefined)) return undefined
  const fields = new Set(kind.fields.map(({ key }) => key))
  const counted = { source: widget.source, params: paramsOf(widget, period, view?.query), fields }
  return (values) => drillDown(counted, values)
}
