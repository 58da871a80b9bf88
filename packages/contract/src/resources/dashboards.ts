import * as z from 'zod'
import { currencyCode, id, position, recordFields, requiredText, wholeNumber } from '../fields.ts'
import { pagedList, rangeParam } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, standard } from '../standard.ts'
import { summaryLimits } from '../summaries.ts'
import { anyOwnedList, columnNames, filterVisibilities, savedParameters } from './saved-filters.ts'

export const widgetTypes = ['NUMBER', 'BAR', 'LINE', 'FUNNEL', 'DONUT', 'TABLE', 'LIST'] as const

/** The limits of a dashboard: its widgets, their characters as JSON, and the grid. */
export const dashboardLimits = { widgets: 24, characters: 65_536, columns: 12, listed: 20 } as const

const source = z.strictObject({
  resource: requiredText(100).meta({ description: 'deals, custom-entities/<key>/records' }),
  query: savedParameters.optional().meta({ description: 'Filters of the list' }),
  savedFilterId: id.optional(),
  measures: z.array(requiredText(80)).max(summaryLimits.measures).optional().meta({ description: 'As in a summary' }),
  groupBy: z.array(requiredText(80)).max(2).optional(),
  sort: requiredText(120).optional(),
  top: z.int().min(1).max(summaryLimits.groups).optional(),
  convertTo: currencyCode.optional(),
  columns: columnNames.min(1).optional().meta({ description: 'LIST needs them' }),
  limit: z.int().min(1).max(dashboardLimits.listed).optional(),
})

const place = z.int().min(0).max(1000)
const widgetInput = z.strictObject({
  id: requiredText(40).optional(),
  type: z.enum(widgetTypes),
  title: requiredText(100),
  x: z
    .int()
    .min(0)
    .max(dashboardLimits.columns - 1),
  y: place,
  w: z.int().min(1).max(dashboardLimits.columns),
  h: z.int().min(1).max(100),
  source,
  periodField: requiredText(60)
    .nullable()
    .optional()
    .meta({ description: 'closed: the period is closedFrom and closedTo' }),
})
export type WidgetInput = z.output<typeof widgetInput>

const bound = (which: 'from' | 'to') =>
  z.string().refine((value) => rangeParam(which).safeParse(value).success, 'Expected a date as lists take it')

const period = z.strictObject({ from: bound('from'), to: bound('to') })

const widget = z.object({
  id: z.string(),
  type: z.enum(widgetTypes),
  title: z.string(),
  x: wholeNumber,
  y: wholeNumber,
  w: wholeNumber,
  h: wholeNumber,
  source: z.object({
    resource: z.string(),
    query: z.record(z.string(), z.string()),
    savedFilterId: id.optional(),
    measures: z.array(z.string()).optional(),
    groupBy: z.array(z.string()).optional(),
    sort: z.string().optional(),
    top: wholeNumber.optional(),
    convertTo: z.string().optional(),
    columns: z.array(z.string()).optional(),
    limit: wholeNumber.optional(),
  }),
  periodField: z.string().nullable(),
  isAvailable: z.boolean().meta({ description: 'Whether you may ask what it asks' }),
})

const dashboard = z.object({
  ...recordFields,
  name: z.string(),
  visibility: z.enum(filterVisibilities),
  isHome: z.boolean(),
  position: wholeNumber,
  period: z.object({ from: z.string(), to: z.string() }).nullable(),
  widgets: z.array(widget),
  ownerId: id.nullable(),
})
export type DashboardRecord = z.output<typeof dashboard>

const fields = {
  visibility: z.enum(filterVisibilities).optional(),
  isHome: z.boolean().optional().meta({ description: 'Shown first: yours, or with WORKSPACE that of everybody' }),
  position: position.optional(),
  period: period.nullable().optional(),
  widgets: z
    .array(widgetInput)
    .max(dashboardLimits.widgets)
    .refine(
      (widgets) => JSON.stringify(widgets).length <= dashboardLimits.characters,
      `Expected ${dashboardLimits.characters} characters at most`,
    )
    .optional(),
}

const input = z.strictObject({ name: requiredText(100), ...fields })
export type DashboardInput = z.output<typeof input>

const patch = z.strictObject({ name: requiredText(100).optional(), ...fields })
export type DashboardPatch = z.output<typeof patch>

const operations = standard({
  path: '/api/dashboards',
  noun: 'dashboard',
  plural: 'the dashboards that you may see',
  record: dashboard,
  create: input,
  update: patch,
  list: pagedList(
    dashboard,
    { pageSize: 20, pageSizeMax: 50, overMax: 'cap' },
    { search: z.string().max(200).optional() },
  ),
  access: { view: anyOwnedList, create: anyOwnedList, update: anyOwnedList, delete: anyOwnedList },
})

export const dashboards = resource({ name: 'dashboards', entity: 'DASHBOARD' }, null, {
  ...operations,
  home: {
    method: 'GET',
    path: '/api/dashboards/home',
    summary: 'Read the dashboard that you begin with',
    access: anyOwnedList,
    reply: data(200, dashboard),
  },
  create: {
    ...operations.create,
    description: 'Widgets hold questions (docs/guide/dashboards.md). WORKSPACE ones need MANAGE_WORKSPACE.',
    errors: ['ACCESS_DENIED'],
  },
  update: { ...operations.update, errors: ['ACCESS_DENIED', 'HOME_DASHBOARD'] },
  delete: { ...operations.delete, errors: ['ACCESS_DENIED', 'HOME_DASHBOARD'] },
})
