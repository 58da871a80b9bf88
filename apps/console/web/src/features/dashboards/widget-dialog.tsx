import { dashboardLimits } from '@crm/contract'
import { MultiSelect, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { FilterButton, FilterChips } from '../../records/list/filter-bar.tsx'
import { isShowable } from '../../records/list/columns.ts'
import { groupIn, type WireGroup } from '../../records/list/list-address.ts'
import { usualColumnsOf } from '../../records/list/list-state.ts'
import { factsOf } from '../../records/record-facts.ts'
import { useKinds, type Field, type Kind } from '../../records/record-kinds.ts'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { savedViewsQuery } from './dashboard-queries.ts'
import { entityTypeOf, resourceOf, type Widget } from './questions.ts'
import { capitalized, inSentence, t } from '../../base/texts.ts'
import { newId } from '../../base/without-https.ts'

const types: readonly (readonly [Widget['type'], string])[] = [
  ['NUMBER', t('common.number')],
  ['BAR', t('dashboards.barChart')],
  ['LINE', t('dashboards.lineChart')],
  ['FUNNEL', t('dashboards.funnel')],
  ['DONUT', t('dashboards.donut')],
  ['TABLE', t('dashboards.table')],
  ['LIST', t('dashboards.list')],
]

/** The kinds that have summaries. */
const notSummed: readonly string[] = ['DOCUMENT', 'PRICE_LIST', 'FILE', 'EMPLOYEE', 'DEPARTMENT']
const groupedTypes: readonly Field['type'][] = ['SELECT', 'MULTI_SELECT', 'BOOLEAN', 'TAGS', 'REFERENCE']
const groupedTexts: readonly string[] = ['currency', 'lostReason', 'utmSource', 'utmMedium', 'utmCampaign']
const times: readonly Field['type'][] = ['DATE', 'DATETIME']

const measureWords = {
  sum: t('common.sum'),
  avg: t('dashboards.average'),
  min: t('dashboards.lowest'),
  max: t('dashboards.highest'),
} as const

const usualRows = 10
const usualColumnsMax = 4

/** Returns the dates of a kind that a period can narrow, by the parameters of its list. */
function periodFieldsOf(entityType: string, fields: readonly Field[]) {
  const { params } = factsOf(entityType)
  return Object.keys(params).flatMap((name) => {
    const [, start = ''] = /^(.+)From$/.exec(name) ?? []
    const field = fields.find(({ key }) => start !== '' && [`${start}At`, `${start}Date`].includes(key))
    return field && `${start}To` in params ? [{ value: start, label: field.label }] : []
  })
}

interface WidgetDialogProps {
  /** The widget to edit; null for a new one. */
  readonly widget: Widget | null
  onSave(widget: Widget): void
  onClose(): void
}

/** What a widget asks, and how it is drawn. */
export function WidgetDialog({ widget, onSave, onClose }: WidgetDialogProps) {
  const { person } = useSession()
  const kinds = useKinds().filter(({ key }) => !notSummed.includes(key))
  const [entityType, setEntityType] = useState(
    widget ? entityTypeOf(widget.source.resource) : ((kinds.find(({ key }) => key === 'DEAL') ?? kinds[0])?.key ?? ''),
  )
  const [type, setType] = useState<Widget['type']>(widget?.type ?? 'BAR')
  const kind = kinds.find(({ key }) => key === entityType)
  const fields = kind?.fields ?? []
  const isSame = widget !== null && entityTypeOf(widget.source.resource) === entityType
  const [group, setGroup] = useState<WireGroup | undefined>(() => groupIn(widget?.source.query['filter']))
  const [columns, setColumns] = useState<readonly string[]>(widget?.source.columns ?? [])
  const choose = (next: string) => {
    setEntityType(next)
    setGroup(undefined)
    setColumns([])
  }
  const shownColumns =
    columns.length > 0
      ? columns
      : usualColumnsOf(entityType, kind)
          .slice(0, usualColumnsMax)
          .map(({ key }) => key)
  const send = (form: FormData) =>
    onSave({
      ...placeOf(widget, type),
      type,
      title: textIn(form, 'title').trim(),
      periodField: textIn(form, 'period') || null,
      isAvailable: true,
      source: {
        resource: resourceOf(entityType),
        query: { ...(isSame ? withoutFilter(widget) : {}), ...(group ? { filter: JSON.stringify(group) } : {}) },
        ...(textIn(form, 'view') === '' ? {} : { savedFilterId: textIn(form, 'view') }),
        ...(type === 'LIST'
          ? { columns: [...shownColumns], limit: Number(textIn(form, 'limit')) || usualRows }
          : summaryOf(form, type, fields, person.workspace.currency)),
      },
    })
  return (
    <FormDialog
      opened
      title={widget ? t('dashboards.editWidget') : t('dashboards.addWidget')}
      submit={widget ? t('dashboards.saveWidget') : t('dashboards.addWidget')}
      isBusy={false}
      error={null}
      onSubmit={send}
      onClose={onClose}
    >
      <TextInput
        label={t('common.title')}
        name="title"
        required
        maxLength={100}
        defaultValue={widget?.title ?? ''}
        data-autofocus
      />
      <NativeSelect
        label={t('dashboards.chart')}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as Widget['type'])}
        data={types.map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        label={t('common.recordType')}
        value={entityType}
        onChange={(event) => choose(event.currentTarget.value)}
        data={kinds.map(({ key, plural }) => ({ value: key, label: capitalized(plural) }))}
      />
      <ViewField key={`view ${entityType}`} widget={widget} entityType={entityType} />
      {kind && (
        // The form of the filter stands inside this one only for React.
        <Stack gap="xs" onSubmit={(event) => event.stopPropagation()}>
          <span>
            <FilterButton kind={kind} group={group} onChange={setGroup} />
          </span>
          <FilterChips kind={kind} group={group} onChange={setGroup} />
        </Stack>
      )}
      <NativeSelect
        key={`period ${entityType}`}
        label={t('dashboards.periodAppliesTo')}
        name="period"
        defaultValue={isSame ? (widget.periodField ?? '') : ''}
        data={[{ value: '', label: t('dashboards.none') }, ...periodFieldsOf(entityType, fields)]}
      />
      {type === 'LIST' ? (
        <ListFields widget={widget} kind={kind} columns={shownColumns} onColumns={setColumns} />
      ) : (
        <SummaryFields key={entityType} widget={widget} type={type} entityType={entityType} fields={fields} />
      )}
    </FormDialog>
  )
}

/** The saved view that a widget begins with. */
function ViewField({ widget, entityType }: { readonly widget: Widget | null; readonly entityType: string }) {
  const { data: views = [] } = useQuery(savedViewsQuery(entityType))
  return (
    <NativeSelect
      label={t('dashboards.view')}
      description={t('dashboards.aSavedViewOfThe')}
      name="view"
      defaultValue={widget?.source.savedFilterId ?? ''}
      data={[
        { value: '', label: t('dashboards.noFilter') },
        ...views.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

interface ListFieldsProps {
  readonly widget: Widget | null
  readonly kind: Kind | undefined
  readonly columns: readonly string[]
  onColumns(columns: readonly string[]): void
}

/** The columns and the length of a list. */
function ListFields({ widget, kind, columns, onColumns }: ListFieldsProps) {
  return (
    <>
      <MultiSelect
        label={t('dashboards.columns')}
        searchable
        data={(kind?.fields ?? [])
          .filter((field) => kind && isShowable(field, kind))
          .map(({ key, label }) => ({ value: key, label }))}
        value={[...columns]}
        onChange={onColumns}
      />
      <NumberInput
        label={t('dashboards.rows')}
        name="limit"
        min={1}
        max={dashboardLimits.listed}
        defaultValue={widget?.source.limit ?? usualRows}
      />
    </>
  )
}

interface SummaryFieldsProps {
  readonly widget: Widget | null
  readonly type: Widget['type']
  readonly entityType: string
  readonly fields: readonly Field[]
}

/** What a number or a chart measures, and by what. */
function SummaryFields({ widget, type, entityType, fields }: SummaryFieldsProps) {
  const groups = groupsOf(fields)
  const needsGroup = type === 'BAR' || type === 'LINE' || type === 'FUNNEL' || type === 'DONUT'
  return (
    <>
      <NativeSelect
        label={t('dashboards.measure')}
        name="measure"
        defaultValue={widget?.source.measures?.[0] ?? 'count'}
        data={measuresOf(entityType, fields)}
      />
      {type !== 'NUMBER' && (
        <NativeSelect
          label={t('dashboards.groupBy')}
          name="group"
          required={needsGroup}
          defaultValue={widget?.source.groupBy?.[0] ?? groups[0]?.value ?? ''}
          data={needsGroup ? groups : [{ value: '', label: t('dashboards.none') }, ...groups]}
        />
      )}
      {(type === 'BAR' || type === 'LINE' || type === 'TABLE') && (
        <NativeSelect
          label={t('dashboards.thenBy')}
          name="then"
          defaultValue={widget?.source.groupBy?.[1] ?? ''}
          data={[{ value: '', label: t('dashboards.none') }, ...groups]}
        />
      )}
    </>
  )
}

/** Returns what records can be grouped by. */
function groupsOf(fields: readonly Field[]) {
  return fields.flatMap((field) => {
    if (times.includes(field.type))
      return (['month', 'week', 'quarter'] as const).map((bucket) => ({
        value: `${field.key}:${bucket}`,
        label: t('dashboards.labelByBucket', { label: field.label, bucket }),
      }))
    return groupedTypes.includes(field.type) || groupedTexts.includes(field.key)
      ? [{ value: field.key, label: field.label }]
      : []
  })
}

/** Returns what of the records can be counted and summed. */
function measuresOf(entityType: string, fields: readonly Field[]) {
  return [
    { value: 'count', label: t('dashboards.count') },
    ...fields.flatMap(({ key, label, type: of, aggregates }) =>
      times.includes(of)
        ? []
        : aggregates.map((name) => ({
            value: `${name}:${key}`,
            label: t('dashboards.measurewordsOfLabel', {
              measureWords: measureWords[name],
              label: inSentence(label),
            }),
          })),
    ),
    ...(entityType === 'DEAL' ? [{ value: 'weighted:amount', label: t('dashboards.weightedAmount') }] : []),
  ]
}

/** Returns where a widget stands; a new one gets the usual size. */
function placeOf(widget: Widget | null, type: Widget['type']) {
  return {
    id: widget?.id ?? newId(),
    x: 0,
    y: 0,
    w: widget?.w ?? (type === 'NUMBER' ? 4 : 6),
    h: widget?.h ?? 4,
  }
}

function withoutFilter({ source }: Widget): Widget['source']['query'] {
  const { filter: _filter, ...kept } = source.query
  return kept
}

/** Returns the question of a number or a chart. */
function summaryOf(form: FormData, type: Widget['type'], fields: readonly Field[], currency: string) {
  const text = (name: string) => textIn(form, name)
  const groupBy = [text('group'), type === 'DONUT' || type === 'FUNNEL' ? '' : text('then')].filter(Boolean)
  const measure = text('measure')
  const field = fields.find(({ key }) => key === measure.split(':')[1])
  const isMoney = field?.type === 'CURRENCY' && !field.key.startsWith('cf_')
  return {
    measures: measure === 'count' ? ['count'] : [measure, 'count'],
    ...(type === 'NUMBER' || groupBy.length === 0 ? {} : { groupBy }),
    ...(isMoney || measure.startsWith('weighted') ? { convertTo: currency } : {}),
  }
}
