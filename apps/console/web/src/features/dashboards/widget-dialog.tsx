import { dashboardLimits, recordOperations } from '@crm/contract'
import { MultiSelect, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { FilterButton, FilterChips } from '../../records/list/filter-bar.tsx'
import { isShowable } from '../../records/list/columns.ts'
import { groupIn, type WireGroup } from '../../records/list/list-address.ts'
import { usualColumnsOf } from '../../records/list/list-state.ts'
import { useKinds, type Field } from '../../records/record-kinds.ts'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { savedViewsQuery } from './dashboard-queries.ts'
import { entityTypeOf, resourceOf, type Widget } from './questions.ts'
import { capitalized, inSentence, t } from '../../base/texts.ts'

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
  const { shape = {} } = recordOperations(entityType)?.list?.query ?? {}
  return Object.keys(shape).flatMap((name) => {
    const [, start = ''] = /^(.+)From$/.exec(name) ?? []
    const field = fields.find(({ key }) => start !== '' && [`${start}At`, `${start}Date`].includes(key))
    return field && `${start}To` in shape ? [{ value: start, label: field.label }] : []
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
  const { data: views = [] } = useQuery(savedViewsQuery(entityType))
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
  const needsGroup = type === 'BAR' || type === 'LINE' || type === 'FUNNEL' || type === 'DONUT'
  const groups = fields.flatMap((field) => {
    if (times.includes(field.type))
      return (['month', 'week', 'quarter'] as const).map((bucket) => ({
        value: `${field.key}:${bucket}`,
        label: t('dashboards.labelByBucket', { label: field.label, bucket }),
      }))
    return groupedTypes.includes(field.type) || groupedTexts.includes(field.key)
      ? [{ value: field.key, label: field.label }]
      : []
  })
  const measures = [
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
  const send = (form: FormData) => {
    const text = (name: string) => textIn(form, name)
    const groupBy = [text('group'), type === 'DONUT' || type === 'FUNNEL' ? '' : text('then')].filter(Boolean)
    const measure = text('measure')
    const field = fields.find(({ key }) => key === measure.split(':')[1])
    const isMoney = field?.type === 'CURRENCY' && !field.key.startsWith('cf_')
    const { filter: _filter, ...kept } = isSame ? widget.source.query : ({} as Widget['source']['query'])
    const query = { ...kept, ...(group ? { filter: JSON.stringify(group) } : {}) }
    const view = text('view') === '' ? {} : { savedFilterId: text('view') }
    const listed = { columns: [...shownColumns], limit: Number(text('limit')) || usualRows }
    onSave({
      id: widget?.id ?? crypto.randomUUID(),
      type,
      title: text('title').trim(),
      x: 0,
      y: 0,
      w: widget?.w ?? (type === 'NUMBER' ? 4 : 6),
      h: widget?.h ?? 4,
      periodField: text('period') || null,
      isAvailable: true,
      source: {
        resource: resourceOf(entityType),
        query,
        ...view,
        ...(type === 'LIST'
          ? listed
          : {
              measures: measure === 'count' ? ['count'] : [measure, 'count'],
              ...(type === 'NUMBER' || groupBy.length === 0 ? {} : { groupBy }),
              ...(isMoney || measure.startsWith('weighted') ? { convertTo: person.workspace.currency } : {}),
            }),
      },
    })
  }
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
      <NativeSelect
        key={`view ${entityType}`}
        label={t('dashboards.view')}
        description={t('dashboards.aSavedViewOfThe')}
        name="view"
        defaultValue={widget?.source.savedFilterId ?? ''}
        data={[
          { value: '', label: t('dashboards.noFilter') },
          ...views.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
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
      {type === 'LIST' && (
        <>
          <MultiSelect
            label={t('dashboards.columns')}
            searchable
            data={fields
              .filter((field) => kind && isShowable(field, kind))
              .map(({ key, label }) => ({ value: key, label }))}
            value={[...shownColumns]}
            onChange={setColumns}
          />
          <NumberInput
            label={t('dashboards.rows')}
            name="limit"
            min={1}
            max={dashboardLimits.listed}
            defaultValue={widget?.source.limit ?? usualRows}
          />
        </>
      )}
      {type !== 'LIST' && (
        <NativeSelect
          key={`measure ${entityType}`}
          label={t('dashboards.measure')}
          name="measure"
          defaultValue={widget?.source.measures?.[0] ?? 'count'}
          data={measures}
        />
      )}
      {type !== 'NUMBER' && type !== 'LIST' && (
        <NativeSelect
          key={`group ${entityType}`}
          label={t('dashboards.groupBy')}
          name="group"
          required={needsGroup}
          defaultValue={widget?.source.groupBy?.[0] ?? groups[0]?.value ?? ''}
          data={needsGroup ? groups : [{ value: '', label: t('dashboards.none') }, ...groups]}
        />
      )}
      {(type === 'BAR' || type === 'LINE' || type === 'TABLE') && (
        <NativeSelect
          key={`then ${entityType}`}
          label={t('dashboards.thenBy')}
          name="then"
          defaultValue={widget?.source.groupBy?.[1] ?? ''}
          data={[{ value: '', label: t('dashboards.none') }, ...groups]}
        />
      )}
    </FormDialog>
  )
}
