import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { settings } from '../base/api.ts'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { isUnderWay, pollMs } from '../base/under-way.ts'
import { t } from '../base/texts.ts'

interface ExportDialogProps {
  /** The export; undefined when it could not be started. */
  readonly id: string | undefined
  readonly error: unknown
  onClose(): void
}

/** Follows an export until its file can be downloaded. */
export function ExportDialog({ id, error, onClose }: ExportDialogProps) {
  return (
    <Modal opened onClose={onClose} title={t('transfers.export')}>
      <RefusalAlert error={error} />
      {id !== undefined && <Outcome id={id} />}
    </Modal>
  )
}

/** Reads the person's own export, repeatedly until it is done. */
const exportQuery = (id: string) =>
  queryOptions({
    queryKey: ['exports', id],
    queryFn: async ({ signal }) => (await settings.exports.get({ params: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data.state) ? pollMs : false),
  })

function Outcome({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(exportQuery(id))
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={2} label={t('transfers.preparingTheExport')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack>
      <Text size="sm" role="status">
        {inWords(data)}
      </Text>
      {data.state === 'DONE' && (
        <Anchor href={`/api/settings/exports/${id}/file`} download>
          {t('transfers.downloadTheFile')}
        </Anchor>
      )}
      {data.problem !== null && (
        <Text size="sm" c="red">
          {data.problem}
        </Text>
      )}
    </Stack>
  )
}

function inWords({ state, rows }: { readonly state: string; readonly rows: number }): string {
  const records = t('kinds.RECORD.count', { count: rows })
  if (state === 'DONE') return t('transfers.recordsExportedTheFileIs', { records })
  return state === 'FAILED' ? t('transfers.theExportFailed') : t('transfers.recordsSoFar', { records })
}
