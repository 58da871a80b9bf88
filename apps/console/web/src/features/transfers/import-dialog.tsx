import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { settings } from '../../base/api.ts'
import { isUnderWay } from '../../base/under-way.ts'
import { RecordTable } from '../../records/record-table.tsx'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { StatePill } from './state-pill.tsx'
import { importQuery } from './transfer-queries.ts'
import { t } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

interface ImportDialogProps {
  readonly id: string
  onClose(): void
}

type Job = Awaited<ReturnType<typeof settings.imports.get>>['data']

/** The progress or the outcome of an import. */
export function ImportDialog({ id, onClose }: ImportDialogProps) {
  const { data: job, error, refetch } = useQuery(importQuery(id))
  const client = useQueryClient()
  const state = job?.state
  useEffect(() => {
    if (state !== undefined)
      void client.invalidateQueries({ queryKey: ['imports'], predicate: ({ queryKey }) => queryKey[1] !== 'one' })
  }, [client, state])
  return (
    <Dialog opened onClose={onClose} title={job?.fileName ?? t('Import', { context: 'noun' })} size="lg">
      <Stack>
        <RefusalAlert error={error} retry={() => void refetch()} />
        {job === undefined ? error === null && <LoadingLines label={t('Loading import')} /> : <Outcome job={job} />}
      </Stack>
    </Dialog>
  )
}

function Outcome({ job }: { readonly job: Job }) {
  const [isAsked, setAsked] = useState(false)
  const share = job.total === 0 ? 0 : Math.round((job.processed / job.total) * 100)
  return (
    <>
      <Group gap="sm">
        <StatePill state={job.state} />
        <Text size="sm" role="status">
          {inWords(job)}
        </Text>
      </Group>
      {isUnderWay(job.state) && <Progress value={share} aria-label={t('Progress')} />}
      {job.problem !== null && (
        <Text size="sm" c="red">
          {job.problem}
        </Text>
      )}
      {job.errors.length > 0 && <BadRows job={job} />}
      {['DONE', 'FAILED', 'CANCELLED'].includes(job.state) && job.created + job.updated > 0 && (
        <Group justify="flex-end">
          <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
            {t('Undo import')}
          </Button>
        </Group>
      )}
      <TakeBackDialog job={job} opened={isAsked} onClose={() => setAsked(false)} />
    </>
  )
}

function inWords({ state, processed, total, created, updated, skipped, failed, reverted }: Job): string {
  if (isUnderWay(state))
    return t('{processed, number} of {total, plural, one {# row} other {# rows}}', { processed, total })
  if (state === 'REVERTED') return t('{reverted, plural, one {# record undone} other {# records undone}}', { reverted })
  return t(
    '{created, number} created, {updated, number} updated, {skipped, number} skipped, {failed, number} with errors',
    { created, updated, skipped, failed },
  )
}

function BadRows({ job }: { readonly job: Job }) {
  return (
    <div>
      <RecordTable
        label={t('Rows with errors')}
        rows={job.errors}
        columns={[
          { label: t('Line'), cell: ({ line }) => line },
          { label: t('Reason'), cell: ({ reason }) => reason },
        ]}
      />
      <Anchor size="sm" href={`/api/settings/imports/${job.id}/errors.csv`} download="import-errors.csv">
        {t('Download all rows with errors')}
      </Anchor>
    </div>
  )
}

function TakeBackDialog({ job, opened, onClose }: { readonly job: Job; readonly opened: boolean; onClose(): void }) {
  const client = useQueryClient()
  const revert = useMutation({
    mutationFn: () => settings.imports.revert({ params: { id: job.id } }),
    onSuccess: () => {
      onClose()
      return client.invalidateQueries({ queryKey: ['imports'] })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Undo this import?')}
      confirm={t('Undo import')}
      isDestructive
      isBusy={revert.isPending}
      error={revert.error}
      onConfirm={() => revert.mutate()}
    >
      {t(
        'What it created is deleted, and what it changed gets its old values again. Records that somebody has changed since stay as they are.',
      )}
    </ConfirmDialog>
  )
}
