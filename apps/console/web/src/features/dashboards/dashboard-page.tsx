import type { DashboardRecord } from '@crm/contract'
import { Button, Menu, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import type { Narrowed } from '../../records/narrowed.ts'
import { useNarrowing, useWhose, WhoseChoice } from '../../records/whose.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { MoreActions } from '../../shell/more-actions.tsx'
import { notify } from '../../shell/notices.tsx'
import { NotFoundPage } from '../../shell/not-found-page.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { salesOverview, type BuiltIn } from './built-in.ts'
import { dashboardsQuery } from './dashboard-queries.ts'
import classes from './dashboards.module.css'
import { knownPeriods } from './periods.ts'
import { movedTo, placed, type Widget } from './questions.ts'
import { WidgetDialog } from './widget-dialog.tsx'
import { WidgetEditing, WidgetPanel } from './widget.tsx'
import { t } from './texts.ts'

/** A dashboard of the workspace, or the built-in one. */
export function DashboardPage() {
  const { id } = useParams({ strict: false })
  const { person } = useSession()
  const { data, error, refetch } = useQuery(dashboardsQuery)
  if (id === undefined)
    return <Shown key="built-in" dashboard={salesOverview(person.workspace.currency)} all={data ?? []} />
  const found = data?.find((one) => one.id === id)
  if (found) return <Shown key={id} dashboard={found} all={data ?? []} />
  if (data) return <NotFoundPage />
  return (
    <Page title={t('Dashboards')}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel>
          <LoadingLines lines={8} label={t('Loading dashboards')} />
        </Panel>
      )}
    </Page>
  )
}

const sharing: Readonly<Record<DashboardRecord['visibility'], string>> = {
  PRIVATE: t('Only you'),
  DEPARTMENT: t('Your department'),
  WORKSPACE: t('Everyone'),
}

interface ShownProps {
  readonly dashboard: DashboardRecord | BuiltIn
  readonly all: readonly DashboardRecord[]
}

function Shown({ dashboard, all }: ShownProps) {
  const { person, may } = useSession()
  const [draft, setDraft] = useState<readonly Widget[] | null>(null)
  const [opened, setOpened] = useState<'new' | 'settings' | 'delete' | { readonly widget: Widget | null } | null>(null)
  const [period, setPeriod] = useState(dashboard.period)
  const [whose, setWhose] = useWhose('dashboards')
  const of = useNarrowing(whose)
  const own = 'id' in dashboard ? dashboard : null
  const mayEdit = own !== null && (own.visibility === 'WORKSPACE' ? may('MANAGE_WORKSPACE') : own.ownerId === person.id)
  const saving = useSave(own, () => setDraft(null))
  const widgets = draft ?? dashboard.widgets
  const shut = () => setOpened(null)
  const edit = (next: readonly Widget[]) => setDraft(placed(next))
  const keep = (widget: Widget) => {
    const isKnown = widgets.some(({ id }) => id === widget.id)
    edit(isKnown ? widgets.map((one) => (one.id === widget.id ? widget : one)) : [...widgets, widget])
    shut()
  }
  const actions =
    draft === null ? (
      <>
        {mayEdit && (
          <Button
            variant="default"
            leftSection={<Icon name="edit" size={16} />}
            onClick={() => setDraft(dashboard.widgets)}
          >
            {t('Edit dashboard')}
          </Button>
        )}
        {mayEdit && (
          <MoreActions>
            <Menu.Item onClick={() => setOpened('settings')}>{t('Rename and share')}</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setOpened('delete')}>
              {t('Delete')}
            </Menu.Item>
          </MoreActions>
        )}
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpened('new')}>
          {t('New dashboard')}
        </Button>
      </>
    ) : (
      <>
        <Button variant="default" onClick={() => setOpened({ widget: null })}>
          {t('Add widget')}
        </Button>
        <Button variant="default" onClick={() => setDraft(null)}>
          {t('Cancel')}
        </Button>
        <Button loading={saving.isPending} onClick={() => saving.mutate({ widgets: widgets.map(toInput), period })}>
          {t('Save dashboard')}
        </Button>
      </>
    )
  return (
    <Page
      title={dashboard.name}
      note={own === null ? t('Everyone sees the records that they may see.') : sharing[own.visibility]}
      actions={actions}
    >
      <Others all={all} />
      <RefusalAlert error={saving.error} />
      <div className={classes.lens}>
        {draft === null && <WhoseChoice whose={whose} onChange={setWhose} />}
        {widgets.some(({ periodField }) => periodField !== null) && (
          <PeriodField value={period} kept={dashboard.period} onChange={setPeriod} />
        )}
      </div>
      {widgets.length === 0 && (
        <Panel>
          <EmptyState
            title={t('This dashboard is empty')}
            action={mayEdit && <Button onClick={() => setOpened({ widget: null })}>{t('Add widget')}</Button>}
          >
            {t('Add charts and numbers about your records.')}
          </EmptyState>
        </Panel>
      )}
      <Widgets
        widgets={draft ?? ofPeople(dashboard.widgets, of)}
        period={period}
        isEditing={draft !== null}
        onChange={edit}
        onEdit={(widget) => setOpened({ widget })}
      />
      {opened === 'new' && <NewDashboard shown={dashboard} onClose={shut} />}
      {opened === 'settings' && own && <Settings dashboard={own} onClose={shut} />}
      {opened === 'delete' && own && <Deletion dashboard={own} onClose={shut} />}
      {opened !== null && typeof opened === 'object' && (
        <WidgetDialog widget={opened.widget} onSave={keep} onClose={shut} />
      )}
    </Page>
  )
}

/** Returns widgets about the records of some people; what a widget asks itself stays. */
function ofPeople(widgets: readonly Widget[], of: Narrowed): readonly Widget[] {
  return widgets.map((widget) => {
    const { source } = widget
    return { ...widget, source: { ...source, query: { ...of, ...source.query } } }
  })
}

/** Leads to the other dashboards. */
function Others({ all }: Pick<ShownProps, 'all'>) {
  return (
    <nav aria-label={t('Dashboards')} className={classes.others}>
      <Link to="/dashboards" activeOptions={{ exact: true }}>
        {t('Sales overview')}
      </Link>
      {all.map(({ id, name }) => (
        <Link key={id} to="/dashboards/$id" params={{ id }}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

interface WidgetsProps {
  readonly widgets: readonly Widget[]
  readonly period: DashboardRecord['period']
  readonly isEditing: boolean
  onChange(widgets: readonly Widget[]): void
  onEdit(widget: Widget): void
}

/** The widgets in their grid; while the dashboard is edited they can be moved, resized, changed and removed. */
function Widgets({ widgets, period, isEditing, onChange, onEdit }: WidgetsProps) {
  const move = (at: number, by: -1 | 1) => {
    const next = [...widgets]
    const [moved] = next.splice(at, 1)
    if (moved) next.splice(at + by, 0, moved)
    onChange(next)
  }
  return (
    <div className={classes.grid} data-widgets>
      {widgets.map((widget, at) => (
        <WidgetPanel
          // A widget that asks something else begins anew.
          key={`${widget.id} ${widget.type} ${JSON.stringify(widget.source)}`}
          widget={widget}
          period={period}
          {...(!isEditing
            ? {}
            : {
                arranging: {
                  onDropped: (id) => onChange(movedTo(widgets, id, widget.id)),
                  onResize: (size) => onChange(widgets.map((one) => (one === widget ? { ...one, ...size } : one))),
                },
                editing: (
                  <WidgetEditing
                    title={widget.title}
                    isFirst={at === 0}
                    isLast={at === widgets.length - 1}
                    onMove={(by) => move(at, by)}
                    onResize={(w) => onChange(widgets.map((one) => (one === widget ? { ...one, w } : one)))}
                    onEdit={() => onEdit(widget)}
                    onRemove={() => onChange(widgets.filter((one) => one !== widget))}
                  />
                ),
              })}
        />
      ))}
    </div>
  )
}

interface PeriodFieldProps {
  readonly value: DashboardRecord['period']
  /** The period that the dashboard is saved with. */
  readonly kept: DashboardRecord['period']
  onChange(period: DashboardRecord['period']): void
}

/** Chooses the period that the widgets show; saving the dashboard keeps it. */
function PeriodField({ value, kept, onChange }: PeriodFieldProps) {
  const known = knownPeriods.find(({ from, to }) => from === value?.from && to === value.to)
  const isOther = value !== null && known === undefined
  const other = { value: otherPeriod, label: t('Other period') }
  return (
    <NativeSelect
      label={t('Period')}
      className={classes.period}
      value={isOther ? otherPeriod : (known?.label ?? '')}
      data={[
        { value: '', label: t('All time') },
        ...knownPeriods.map(({ label }) => ({ value: label, label })),
        ...(isOther ? [other] : []),
      ]}
      onChange={({ currentTarget }) => {
        const next = knownPeriods.find(({ label }) => label === currentTarget.value)
        onChange(next ? { from: next.from, to: next.to } : currentTarget.value === otherPeriod ? kept : null)
      }}
    />
  )
}

const otherPeriod = 'other'

/** Whether the person may use a widget is for the API to say. */
function toInput({ isAvailable: _mayUse, ...widget }: Widget) {
  return widget
}

type Changes = NonNullable<Parameters<typeof crm.dashboards.update>[0]>['body']

function useSave(dashboard: DashboardRecord | null, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Changes) => crm.dashboards.update({ params: { id: dashboard?.id ?? '' }, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['dashboards', 'list'] })
      notify(t('Dashboard saved'))
      onDone()
    },
  })
}

function VisibilityField({ value }: { readonly value: DashboardRecord['visibility'] }) {
  const { may } = useSession()
  const allowed = Object.entries(sharing).filter(([name]) => name !== 'WORKSPACE' || may('MANAGE_WORKSPACE'))
  return (
    <NativeSelect
      label={t('Who can see it', { context: 'a dashboard' })}
      name="visibility"
      defaultValue={value}
      data={allowed.map(([name, label]) => ({ value: name, label }))}
    />
  )
}

interface DialogProps {
  onClose(): void
}

function NewDashboard({ shown, onClose }: DialogProps & { readonly shown: ShownProps['dashboard'] }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const creating = useMutation({
    mutationFn: (form: FormData) =>
      crm.dashboards.create({
        body: {
          name: textIn(form, 'name').trim(),
          visibility: form.get('visibility') as DashboardRecord['visibility'],
          widgets:
            form.get('begin') === 'copy'
              ? placed(shown.widgets.filter(({ isAvailable }) => isAvailable)).map(toInput)
              : [],
        },
      }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: ['dashboards', 'list'] })
      notify(t('Dashboard created'))
      await navigate({ to: '/dashboards/$id', params: { id: data.id } })
      onClose()
    },
  })
  return (
    <FormDialog
      opened
      title={t('New dashboard')}
      submit={t('Create dashboard')}
      isBusy={creating.isPending}
      error={creating.error}
      onSubmit={(form) => creating.mutate(form)}
      onClose={onClose}
    >
      <TextInput label={t('Name')} name="name" required maxLength={100} data-autofocus />
      <VisibilityField value="PRIVATE" />
      <NativeSelect
        label={t('Start with')}
        name="begin"
        data={[
          { value: 'copy', label: t('A copy of {name}', { name: shown.name }) },
          { value: 'empty', label: t('An empty dashboard') },
        ]}
      />
    </FormDialog>
  )
}

function Settings({ dashboard, onClose }: DialogProps & { readonly dashboard: DashboardRecord }) {
  const saving = useSave(dashboard, onClose)
  return (
    <FormDialog
      opened
      title={t('Rename and share')}
      submit={t('Save dashboard')}
      isBusy={saving.isPending}
      error={saving.error}
      onSubmit={(form) =>
        saving.mutate({
          name: textIn(form, 'name').trim(),
          visibility: form.get('visibility') as DashboardRecord['visibility'],
        })
      }
      onClose={onClose}
    >
      <TextInput label={t('Name')} name="name" required maxLength={100} defaultValue={dashboard.name} data-autofocus />
      <VisibilityField value={dashboard.visibility} />
    </FormDialog>
  )
}

function Deletion({ dashboard, onClose }: DialogProps & { readonly dashboard: DashboardRecord }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: () => crm.dashboards.delete({ params: { id: dashboard.id } }),
    onSuccess: async () => {
      await navigate({ to: '/dashboards' })
      await client.invalidateQueries({ queryKey: ['dashboards', 'list'] })
      notify(t('Dashboard deleted'))
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('Delete this dashboard?')}
      confirm={t('Delete dashboard')}
      isDestructive
      isBusy={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      {t('Nobody will see {name} any more. The records that it is about stay.', { name: dashboard.name })}
    </ConfirmDialog>
  )
}
