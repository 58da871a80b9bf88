import { Anchor, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { settings } from '../base/api.ts'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { isUnderWay, pollMs } from '../base/under-way.ts'
import { filled, t, terms } from '../base/texts.ts'
import { fieldName } from './field-words.ts'
import { Dialog } from '../shell/dialog.tsx'

interface ExportDialogProps {
  /** The export; undefined when it could not be started. */
  readonly id: string | undefined
  readonly error: unknown
  onClose(): void
}

/** Follows an export until its file can be downloaded. */
export function ExportDialog({ id, error, onClose }: ExportDialogProps) {
  return (
    <Dialog opened onClose={onClose} title={t('Export')}>
      <RefusalAlert error={error} />
      {id !== undefined && <ExportOutcome id={id} />}
    </Dialog>
  )
}

/** Reads the person's own export, repeatedly until it is done. */
const exportQuery = (id: string) =>
  queryOptions({
    queryKey: ['exports', id],
    queryFn: async ({ signal }) => (await settings.exports.get({ params: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data.state) ? pollMs : false),
  })

/** Says how far an export is, and leads to its files. */
export function ExportOutcome({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(exportQuery(id))
  if (data === undefined)
    return error === null ? (
      <LoadingLines lines={2} label={t('Preparing the export')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  return (
    <Stack>
      <Text size="sm" role="status">
        {stateInWords(data)}
      </Text>
      {data.state === 'DONE' &&
        (data.kind === 'WORKSPACE' ? <Archive id={id} /> : <Files id={id} parts={data.parts} />)}
      {data.problem !== null && (
        <Text size="sm" c="red">
          {data.problem}
        </Text>
      )}
    </Stack>
  )
}

interface FilesProps {
  readonly id: string
  readonly parts: readonly string[]
}

/** The files of an export of records: for spreadsheets, for programs, and those of the parts. */
function Files({ id, parts }: FilesProps) {
  const file = `/api/settings/exports/${id}/file`
  return (
    <Stack gap="xs">
      <Anchor href={`${file}?format=XLSX`} download>
        {t('Download for spreadsheets (XLSX)')}
      </Anchor>
      {parts.map((part) => (
        <Anchor key={part} href={`${file}?format=XLSX&part=${encodeURIComponent(part)}`} download>
          {t('Download {part}', { part: `${fieldName(part)} (XLSX)` })}
        </Anchor>
      ))}
      <Anchor href={file} download>
        {t('Download the file')}
      </Anchor>
      {parts.map((part) => (
        <Anchor key={part} href={`${file}?part=${encodeURIComponent(part)}`} download>
          {t('Download {part}', { part: `${fieldName(part)} (CSV)` })}
        </Anchor>
      ))}
      <Text size="xs" c="dimmed">
        {t(
          'The file is CSV, for programs. When a spreadsheet opens it, +49… loses its plus, 01067 its zero, and numbers of 16 digits or more their last digits.',
        )}
      </Text>
    </Stack>
  )
}

function Archive({ id }: { readonly id: string }) {
  return (
    <Anchor href={`/api/settings/exports/${id}/file`} download>
      {t('Download the zip file')}
    </Anchor>
  )
}

function stateInWords({ state, rows }: { readonly state: string; readonly rows: number }): string {
  const records = filled(terms.kinds.RECORD.count, { count: rows })
  if (state === 'DONE') return t('{records} exported.', { records })
  return state === 'FAILED' ? t('The export failed.') : t('{records} so far…', { records })
}
