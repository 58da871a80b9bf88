import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { download } from '../../base/download.ts'
import { describeInstant } from '../../base/moments.ts'
import { useDirectory } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { describeActor } from '../../records/actor-words.ts'
import classes from '../../records/list-filters.module.css'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { AuditEntryDialog, type AuditEntry } from './audit-entry-dialog.tsx'
import { AuditStreamPanel } from './audit-stream-panel.tsx'
import { auditAreas, describeAction, subjectOf } from './audit-words.ts'
import { timesOf, type AuditSearch } from './audit-search.ts'
import { t } from './texts.ts'
import { DayInput } from '../../shell/day-input.tsx'
import { PersonName } from '../../shell/person-name.tsx'
import { isDay } from '../../base/typed-days.ts'
import { usePhone } from '../../shell/use-phone.ts'

const route = getRouteApi('/console/settings/audit-log')

const auditLogQuery = ({ area, actorId, outcome, page = 1, ...days }: AuditSearch) =>
  queryOptions({
    queryKey: ['audit-log', area, actorId, outcome, days, page],
    queryFn: ({ signal }) =>
      settings.auditLog.list({
        query: { ...timesOf(days), action: area, actorId, outcome, page, pageSize: 50 },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

const actorOf = ({ actorId, actorName, via }: AuditEntry) => (
  <PersonName id={actorId} name={describeActor(actorName, via)} />
)

const momentOf = ({ at }: AuditEntry) => <time dateTime={at}>{describeInstant(at)}</time>

/** The log of sign-ins and of changes to keys, roles, people and settings, with their authors. */
export function AuditLogPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const people = useDirectory()
  const isPhone = usePhone()
  const log = useQuery(auditLogQuery(search))
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const save = useMutation({
    mutationFn: () =>
      download(`/api/settings/audit-log/export?${String(new URLSearchParams(timesOf(search)))}`, 'audit-log.ndjson'),
  })
  const narrow = (patch: Omit<AuditSearch, 'page'>) =>
    void navigate({ search: ({ page: _page, ...now }) => ({ ...now, ...patch }), replace: true })
  const day = (name: 'from' | 'to', label: string) => (
    <DayInput
      label={label}
      defaultValue={search[name] ?? ''}
      onChange={(typed) => {
        if (typed === '' || isDay(typed)) narrow({ [name]: typed || undefined })
      }}
    />
  )
  return (
    <Page
      title={t('Audit log')}
      note={t('Sign-ins, and changes to people, roles, keys and settings. Entries cannot be changed.')}
      actions={
        may('EXPORT_DATA') && (
          <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
            {t('Export')}
          </Button>
        )
      }
    >
      <RefusalAlert error={save.error} />
      <search className={classes.filters}>
        <NativeSelect
          label={t('Area')}
          value={search.area ?? ''}
          data={[
            { value: '', label: t('Everything') },
            ...Object.entries(auditAreas).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => narrow({ area: event.currentTarget.value || undefined })}
        />
        <NativeSelect
          label={t('Person')}
          value={search.actorId ?? ''}
          data={[{ value: '', label: t('Everyone') }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={(event) => narrow({ actorId: event.currentTarget.value || undefined })}
        />
        <NativeSelect
          label={t('Outcome')}
          value={search.outcome ?? ''}
          data={[
            { value: '', label: t('Any') },
            { value: 'FAILURE', label: t('Refused') },
          ]}
          onChange={(event) => narrow({ outcome: event.currentTarget.value === 'FAILURE' ? 'FAILURE' : undefined })}
        />
        {day('from', t('From'))}
        {day('to', t('To'))}
      </search>
      <TablePanel
        label={t('Audit log')}
        reading={log}
        page={search.page ?? 1}
        onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
        empty={<EmptyState title={t('No entries')} />}
        columns={[
          {
            label: t('What'),
            cell: (entry) => <What entry={entry} isAlone={isPhone} />,
          },
          ...(isPhone ? [] : [{ label: t('Who'), cell: actorOf }]),
          { label: t('Address'), isExtra: true, cell: ({ address }) => address },
          ...(isPhone ? [] : [{ label: t('When'), cell: momentOf }]),
          {
            label: t('Outcome'),
            isExtra: true,
            cell: ({ outcome }) => outcome === 'FAILURE' && <Pill tone="amber">{t('Refused')}</Pill>,
          },
        ]}
        actions={(entry) => (
          <RowButton
            verb={t('Details')}
            name={[describeAction(entry), subjectOf(entry)].filter(Boolean).join(', ')}
            onClick={() => setShown(entry)}
          />
        )}
      />
      {may('MANAGE_WORKSPACE') && <AuditStreamPanel />}
      {shown !== null && <AuditEntryDialog entry={shown} onClose={() => setShown(null)} />}
    </Page>
  )
}

/** What was done; alone in a row, it says by whom and when as well. */
function What({ entry, isAlone }: { readonly entry: AuditEntry; readonly isAlone: boolean }) {
  return (
    <>
      <RowTitle note={subjectOf(entry)}>{describeAction(entry)}</RowTitle>
      {isAlone && (
        <>
          {actorOf(entry)}
          {momentOf(entry)}
        </>
      )}
    </>
  )
}
