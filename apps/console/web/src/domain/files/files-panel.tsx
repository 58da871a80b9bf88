import type { FileRecord } from '@crm/contract'
import { Button, FileButton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { describeSize } from '../../base/file-size.ts'
import { useSession } from '../../base/session.ts'
import type { RecordPlace } from '../../records/record-place.ts'
import type { RecordTab } from '../../records/record-activity.tsx'
import { offerUndo } from '../../records/undoing.ts'
import { Age } from '../../shell/age.tsx'
import { notifyRefusal } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { DropPlace } from './drop-place.tsx'
import { filesQuery } from './file-queries.ts'
import { isViewable } from './file-view.tsx'
import classes from './files-panel.module.css'
import { useFileRefresh, useUpload } from './use-upload.ts'
import { t } from '../../base/texts.ts'

interface FilesPanelProps {
  readonly record: RecordPlace
}

/** The files of a record: see them, save them, add some by choosing or dropping them, delete them. */
export function FilesPanel({ record }: FilesPanelProps) {
  const { may } = useSession()
  const upload = useUpload(record)
  const send = (files: readonly File[]) => {
    if (files.length > 0 && !upload.isPending) upload.mutate(files)
  }
  if (!may('VIEW_FILE') && !may('VIEW_DOCUMENT')) return null
  if (!may('CREATE_FILE'))
    return (
      <Panel title={t('Files')}>
        <FileList record={record} />
      </Panel>
    )
  return (
    <Panel
      title={t('Files')}
      actions={
        <FileButton multiple onChange={send}>
          {(button) => (
            <Button {...button} variant="default" size="xs" loading={upload.isPending}>
              {t('Add files')}
            </Button>
          )}
        </FileButton>
      }
    >
      <DropPlace onDrop={send}>
        <Stack>
          <RefusalAlert error={upload.error} />
          <FileList record={record} />
        </Stack>
      </DropPlace>
    </Panel>
  )
}

/** A place for new files. */
function FileComposer({ record }: FilesPanelProps) {
  const upload = useUpload(record)
  const send = (files: readonly File[]) => {
    if (files.length > 0 && !upload.isPending) upload.mutate(files)
  }
  return (
    <DropPlace onDrop={send}>
      <Stack align="flex-start" gap="xs">
        <Text size="sm" c="dimmed">
          {t('Drop files here, or choose some.')}
        </Text>
        <FileButton multiple onChange={send}>
          {(button) => (
            <Button {...button} size="xs" loading={upload.isPending}>
              {t('Choose files')}
            </Button>
          )}
        </FileButton>
        <RefusalAlert error={upload.error} />
      </Stack>
    </DropPlace>
  )
}

function FileList({ record }: FilesPanelProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(filesQuery(record))
  const { may } = useSession()
  const removal = useFileRemoval(record)
  const files = data?.pages.flatMap(({ items }) => items)
  if (files === undefined)
    return error === null ? (
      <LoadingLines lines={2} label={t('Loading files')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <>
      {files.length === 0 && (
        <Text size="sm" c="dimmed">
          {may('CREATE_FILE') ? t('No files yet. Drop some here.') : t('No files yet.')}
        </Text>
      )}
      <ul className={classes.files} aria-label={t('Files')}>
        {files.map((file) => (
          <li key={file.id} className={classes.file}>
            <a className={classes.name} href={`/api/files/${file.id}/content`} download={file.name}>
              {file.name}
            </a>
            <span className={classes.facts}>
              {describeSize(file.size)}
              <Age at={file.createdAt} />
            </span>
            {isViewable(file) && (
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={t('Preview {name}', { name: file.name })}
                renderRoot={(props: object) => <Link to="/files/$id" params={{ id: file.id }} {...props} />}
              >
                {t('Preview')}
              </Button>
            )}
            {may('DELETE_FILE') && (
              <Button
                variant="subtle"
                color="red"
                size="compact-xs"
                aria-label={t('Delete {name}', { name: file.name })}
                disabled={removal.isPending}
                onClick={() => removal.mutate(file)}
              >
                {t('Delete')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

/** Deletes a file at once; the notice offers to undo that. */
function useFileRemoval(record: RecordPlace) {
  const client = useQueryClient()
  const refresh = useFileRefresh(record)
  return useMutation({
    mutationFn: ({ id }: FileRecord) => crm.files.delete({ params: { id } }),
    onSuccess: async ({ undoId }) => {
      offerUndo(client, t('File deleted'), undoId)
      await refresh()
    },
    onError: notifyRefusal,
  })
}

/** Returns the files of a record as a tab of its page. */
export function filesTab(record: RecordPlace): RecordTab {
  return {
    key: 'files',
    label: t('Files'),
    needs: ['VIEW_FILE', 'VIEW_DOCUMENT'],
    content: <FilesPanel record={record} />,
    compose: [{ kind: 'file', label: t('File'), needs: 'CREATE_FILE', content: <FileComposer record={record} /> }],
  }
}
