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
import { t } from './texts.ts'
import { capitalized, inSentence } from '../../base/texts.ts'
import { newId } from '../../base/without-https.ts'

const types: readonly (readonly [Widget['type'], string])[] = [
  ['NUMBER', t('Number')],
  ['BAR', t('Bar chart')],
  ['LINE', t('Line chart')],
  ['FUNNEL', t('Funnel')],
  ['DONUT', t('Donut')],
  ['TABLE', t('Table')],
  ['LIST', t('List of records')],
]

/** The kinds that have summaries. */
const notSummed: readonly string[] = ['DOCUMENT', 'PRICE_LIST', 'FILE', 'EMPLOYEE', 'DEPARTMENT']
const groupedTypes: readonly Field['type'][] = ['SELECT', 'MULTI_SELECT', 'BOOLEAN', 'TAGS', 'REFERENCE']
const groupedTexts: readonly string[] = ['currency', 'lostReason', 'utmSource', 'utmMedium', 'utmCampaign']
const times: readonly Field['type'][] = ['DATE', 'DATETIME']

const measureWords = {
  sum: t('Sum'),
  avg: t('Average'),
  min: t('Lowest'),
  max: t('Highest'),
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
      title={widget ? t('Edit widget') : t('Add widget')}
      submit={widget ? t('Save widget') : t('Add widget')}
      isBusy={false}
      error={null}
      onSubmit={send}
      onClose={onClose}
    >
      <TextInput
        label={t('Title')}
        name="title"
        required
        maxLength={100}
        defaultValue={widget?.title ?? ''}
        data-autofocus
      />
      <NativeSelect
        label={t('Chart')}
        value={type}
        onChange={(event) => setType(event.currentTarget.value as Widget['type'])}
        data={types.map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        label={t('Record type')}
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
        label={t('The period applies to')}
        name="period"
        defaultValue={isSame ? (widget.periodField ?? '') : ''}
        data={[{ value: '', label: t('None', { context: 'no field' }) }, ...periodFieldsOf(entityType, fields)]}
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
      label={t('View')}
      description={t('A saved view of the list')}
      name="view"
      defaultValue={widget?.source.savedFilterId ?? ''}
      data={[{ value: '', label: t('No filter') }, ...views.map(({ id, name }) => ({ value: id, label: name }))]}
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
        label={t('Columns')}
        searchable
        data={(kind?.fields ?? [])
          .filter((field) => kind && isShowable(field, kind))
          .map(({ key, label }) => ({ value: key, label }))}
        value={[...columns]}
        onChange={onColumns}
      />
      <NumberInput
        label={t('Rows')}
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
        label={t('Measure')}
        name="measure"
        defaultValue={widget?.source.measures?.[0] ?? 'count'}
        data={measuresOf(entityType, fields)}
      />
      {type !== 'NUMBER' && (
        <NativeSelect
          label={t('Group by')}
          name="group"
          required={needsGroup}
          defaultValue={widget?.source.groupBy?.[0] ?? groups[0]?.value ?? ''}
          data={needsGroup ? groups : [{ value: '', label: t('None', { context: 'no field' }) }, ...groups]}
        />
      )}
      {(type === 'BAR' || type === 'LINE' || type === 'TABLE') && (
        <NativeSelect
          label={t('Then by')}
          name="then"
          defaultValue={widget?.source.groupBy?.[1] ?? ''}
          data={[{ value: '', label: t('None', { context: 'no field' }) }, ...groups]}
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
        label: t('{label} by {bucket}', { label: field.label, bucket }),
      }))
    return groupedTypes.includes(field.type) || groupedTexts.includes(field.key)
      ? [{ value: field.key, label: field.label }]
      : []
  })
}

/** Returns what of the records can be counted and summed. */
function measuresOf(entityType: string, fields: readonly Field[]) {
  return [
    { value: 'count', label: t('Count') },
    ...fields.flatMap(({ key, label, type: of, aggregates }) =>
      times.includes(of)
        ? []
        : aggregates.map((name) => ({
            value: `${name}:${key}`,
            label: t('{measureWords} of {label}', {
              measureWords: measureWords[name],
              label: inSentence(label),
            }),
          })),
    ),
    ...(entityType === 'DEAL' ? [{ value: 'weighted:amount', label: t('Weighted amount') }] : []),
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
