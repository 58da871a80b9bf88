import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { useKinds, type Field } from '../../records/record-kinds.ts'
import { capitalized } from '../../records/record-kinds.ts'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { savedViewsQuery } from './dashboard-queries.ts'
import { entityTypeOf, resourceOf, type Widget } from './questions.ts'

type Drawn = Exclude<Widget['type'], 'LIST'>

const types: readonly (readonly [Drawn, string])[] = [
  ['NUMBER', 'Number'],
  ['BAR', 'Bar chart'],
  ['LINE', 'Line chart'],
  ['FUNNEL', 'Funnel'],
  ['DONUT', 'Donut'],
  ['TABLE', 'Table'],
]

/** The kinds that have summaries. */
const notSummed: readonly string[] = ['DOCUMENT', 'PRICE_LIST', 'FILE', 'EMPLOYEE', 'DEPARTMENT']
const groupedTypes: readonly Field['type'][] = ['SELECT', 'MULTI_SELECT', 'BOOLEAN', 'TAGS', 'REFERENCE']
const groupedTexts: readonly string[] = ['currency', 'lostReason', 'utmSource', 'utmMedium', 'utmCampaign']
const times: readonly Field['type'][] = ['DATE', 'DATETIME']

const measureWords = { sum: 'Sum', avg: 'Average', min: 'Lowest', max: 'Highest' } as const

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
  const [type, setType] = useState<Drawn>(widget && widget.type !== 'LIST' ? widget.type : 'BAR')
  const kind = kinds.find(({ key }) => key === entityType)
  const fields = kind?.fields ?? []
  const { data: views = [] } = useQuery(savedViewsQuery(entityType))
  const needsGroup = type === 'BAR' || type === 'LINE' || type === 'FUNNEL' || type === 'DONUT'
  const groups = fields.flatMap((field) => {
    if (times.includes(field.type))
      return (['month', 'week', 'quarter'] as const).map((bucket) => ({
        value: `${field.key}:${bucket}`,
        label: `${field.label} by ${bucket}`,
      }))
    return groupedTypes.includes(field.type) || groupedTexts.includes(field.key)
      ? [{ value: field.key, label: field.label }]
      : []
  })
  const measures = [
    { value: 'count', label: 'Count' },
    ...fields.flatMap(({ key, label, type: of, aggregates }) =>
      times.includes(of)
        ? []
        : aggregates.map((name) => ({
            value: `${name}:${key}`,
            label: `${measureWords[name]} of ${label.toLowerCase()}`,
          })),
    ),
    ...(entityType === 'DEAL' ? [{ value: 'weighted:amount', label: 'Weighted amount' }] : []),
  ]
  const send = (form: FormData) => {
    const text = (name: string) => textIn(form, name)
    const groupBy = [text('group'), type === 'DONUT' || type === 'FUNNEL' ? '' : text('then')].filter(Boolean)
    const measure = text('measure')
    const field = fields.find(({ key }) => key === measure.split(':')[1])
    const isMoney = field?.type === 'CURRENCY' && !field.key.startsWith('cf_')
    const kept = widget && entityTypeOf(widget.source.resource) === entityType ? widget.source.query : {}
    onSave({
      id: widget?.id ?? crypto.randomUUID(),
      type,
      title: text('title').trim(),
      x: 0,
      y: 0,
      w: widget?.w ?? (type === 'NUMBER' ? 4 : 6),
      h: 4,
      periodField: null,
      isAvailable: true,
      source: {
        resource: resourceOf(entityType),
        query: kept,
        ...(text('view') === '' ? {} : { savedFilterId: text('view') }),
        measures: measure === 'count' ? ['count'] : [measure, 'count'],
        ...(type === 'NUMBER' || groupBy.length === 0 ? {} : { groupBy }),
        ...(isMoney || measure.startsWith('weighted') ? { convertTo: person.workspace.currency } : {}),
      },
    })
  }
  return (
    <FormDialog
      opened
      title={widget ? 'Edit widget' : 'Add widget'}
      submit={widget ? 'Save widget' : 'Add widget'}
      isBusy={false}
      error={null}
      onSubmit={send}
      onClose={onClose}
    >
      <TextInput
        label="Title"
        name="title"
        required
        maxLength={100}
        defaultValue={widget?.title ?? ''}
        data-autofocus
      />
      <NativeSelect
        label="Chart"
        value={type}
        onChange={(event) => setType(event.currentTarget.value as Drawn)}
        data={types.map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        label="Records"
        value={entityType}
        onChange={(event) => setEntityType(event.currentTarget.value)}
        data={kinds.map(({ key, plural }) => ({ value: key, label: capitalized(plural) }))}
      />
      <NativeSelect
        key={`view ${entityType}`}
        label="Filter"
        description="A saved view of the list"
        name="view"
        defaultValue={widget?.source.savedFilterId ?? ''}
        data={[{ value: '', label: 'No filter' }, ...views.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <NativeSelect
        key={`measure ${entityType}`}
        label="Measure"
        name="measure"
        defaultValue={widget?.source.measures?.[0] ?? 'count'}
        data={measures}
      />
      {type !== 'NUMBER' && (
        <NativeSelect
          key={`group ${entityType}`}
          label="Group by"
          name="group"
          required={needsGroup}
          defaultValue={widget?.source.groupBy?.[0] ?? groups[0]?.value ?? ''}
          data={needsGroup ? groups : [{ value: '', label: 'Nothing' }, ...groups]}
        />
      )}
      {(type === 'BAR' || type === 'LINE' || type === 'TABLE') && (
        <NativeSelect
          key={`then ${entityType}`}
          label="Then by"
          name="then"
          defaultValue={widget?.source.groupBy?.[1] ?? ''}
          data={[{ value: '', label: 'Nothing' }, ...groups]}
        />
      )}
    </FormDialog>
  )
}
