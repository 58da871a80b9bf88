import type { TransferredEntity } from '@crm/contract'
import { Anchor, Button, Modal, Stack, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { crm, settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { isUnderWay, pollMs } from './under-way.ts'
import { t } from '../../base/texts.ts'

interface ExportButtonProps {
  readonly entityType: TransferredEntity
  /** The parameters of the shown list; the file ignores their order and pages. */
  readonly query: Readonly<Record<string, unknown>>
}

/** Exports all pages of a shown list as CSV. */
export function ExportButton({ entityType, query }: ExportButtonProps) {
  const { may } = useSession()
  const start = useMutation({
    mutationFn: async () => settings.exports.create({ body: { entityType, filters: await filtersOf(query) } }),
  })
  if (!may('EXPORT_DATA')) return null
  const isOpen = start.data !== undefined || start.error !== null
  return (
    <>
      <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
        {t('transfers.export')}
      </Button>
      <Modal opened={isOpen} onClose={start.reset} title={t('transfers.export')}>
        <RefusalAlert error={start.error} />
        {start.data !== undefined && <Outcome id={start.data.data.id} />}
      </Modal>
    </>
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

const notFilters: readonly string[] = ['page', 'pageSize', 'sortBy', 'sortOrder', 'savedFilterId']

/** Returns the parameters inside a saved filter, because an export takes them themselves. */
async function filtersOf(query: ExportButtonProps['query']): Promise<Record<string, string>> {
  const { savedFilterId } = query
  const saved =
    typeof savedFilterId === 'string' ? (await crm.savedFilters.get({ params: { id: savedFilterId } })).data.query : {}
  const given = Object.entries(query).filter(([name, value]) => value !== undefined && !notFilters.includes(name))
  return { ...saved, ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
}
