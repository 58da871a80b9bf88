import { Button, Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { describeDay } from '../../base/moments.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { BackLink } from '../../shell/back-link.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { programName } from './drop-files.tsx'
import { FilePanel } from './file-panel.tsx'
import { ImportSettings } from './import-settings.tsx'
import { isMoving, migrationQuery, useMigrationChanges, type Migration } from './migration-queries.ts'
import { migrationStateOf } from './migration-words.ts'
import classes from './moving.module.css'
import { QuestionsPanel } from './questions-panel.tsx'
import { ResultPanel } from './result-panel.tsx'
import { t } from './texts.ts'

const route = getRouteApi('/console/settings/import/$id')

/** A migration: its plan, the trial, and what came in. */
export function MigrationPage() {
  const { id } = route.useParams()
  const { data: migration, error, refetch } = useQuery(migrationQuery(id))
  if (migration === undefined)
    return (
      <Page title={t('Move in')}>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {error === null && <LoadingLines />}
      </Page>
    )
  return <Moving migration={migration} />
}

type State = Migration['state']
const doing: Partial<Record<State, string>> = {
  ANALYSING: t('Reading your files…'),
  CHECKING: t('Trying every row…'),
  QUEUED: t('Importing…'),
  RUNNING: t('Importing…'),
  REVERTING: t('Undoing…'),
}
const startable: readonly State[] = ['ANALYSED', 'CHECKED', 'DONE', 'FAILED', 'CANCELLED', 'REVERTED']
const revertible: readonly State[] = ['DONE', 'FAILED', 'CANCELLED']

function Moving({ migration }: { readonly migration: Migration }) {
  const { id, state, plan, problem, source } = migration
  const { change, act } = useMigrationChanges(id)
  const [isAsked, setAsked] = useState(false)
  const isLocked = !startable.includes(state) || migration.filesUntil === null
  const isEmpty = plan === null || plan.files.every(({ kind, problem: fault }) => kind === null || fault !== null)
  const { label, tone } = migrationStateOf(state)
  const hasRun = migration.result?.phase === 'IMPORT'
  return (
    <Page
      title={t('Move in')}
      isSticky
      above={<BackLink to="/settings/import">{t('All imports')}</BackLink>}
      note={
        <Group gap="sm">
          <Pill tone={tone}>{label}</Pill>
          {source !== 'FILES' && programName(source)}
        </Group>
      }
      actions={
        <>
          {isMoving(state) && state !== 'REVERTING' && state !== 'ANALYSING' && (
            <Button variant="default" loading={act.isPending} onClick={() => act.mutate('cancel')}>
              {t('Stop')}
            </Button>
          )}
          {revertible.includes(state) && hasRun && (
            <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
              {t('Undo import')}
            </Button>
          )}
          {!isLocked && (
            <>
              <Button
                variant="default"
                disabled={isEmpty || change.isPending}
                loading={act.isPending && act.variables === 'check'}
                onClick={() => act.mutate('check')}
              >
                {t('Try')}
              </Button>
              <Button
                disabled={isEmpty || change.isPending}
                loading={act.isPending && act.variables === 'start'}
                onClick={() => act.mutate('start')}
              >
                {hasRun ? t('Import again') : t('Import')}
              </Button>
            </>
          )}
        </>
      }
    >
      <RefusalAlert error={act.error ?? change.error} />
      {problem !== null && <RefusalAlert error={new Error(problem)} />}
      {isMoving(state) && <UnderWay migration={migration} />}
      <ResultPanel migration={migration} />
      {plan !== null && state !== 'ANALYSING' && (
        <>
          <QuestionsPanel plan={plan} isLocked={isLocked} onChange={change.mutate} />
          {plan.files.map((file) => (
            <FilePanel
              key={file.id}
              file={file}
              customFields={plan.customFields}
              isLocked={isLocked}
              onChange={change.mutate}
            />
          ))}
          <ImportSettings plan={plan} isLocked={isLocked} onChange={change.mutate} />
          <Text size="sm" c="dimmed">
            {migration.filesUntil === null
              ? t('The files are gone. Import them anew.')
              : t('The files are kept until {day}.', { day: describeDay(migration.filesUntil) })}
          </Text>
        </>
      )}
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('Undo this import?')}
        confirm={t('Undo import')}
        isDestructive
        isBusy={act.isPending}
        error={act.error}
        onConfirm={() => act.mutate('revert', { onSuccess: () => setAsked(false) })}
      >
        {t(
          'What it created is deleted, and what it changed gets its old values again. Records that somebody has changed since stay as they are.',
        )}
      </ConfirmDialog>
    </Page>
  )
}

function UnderWay({ migration: { state, result } }: { readonly migration: Migration }) {
  const { processed = 0, total = 0 } = result ?? {}
  return (
    <Panel>
      <div className={classes.stack} role="status">
        <Text size="sm">
          {doing[state]}{' '}
          {total > 0 && t('{processed, number} of {total, plural, one {# row} other {# rows}}', { processed, total })}
        </Text>
        <Progress
          value={total === 0 ? 100 : (processed / total) * 100}
          animated={total === 0}
          aria-label={doing[state]}
        />
      </div>
    </Panel>
  )
}
