import type { TransferredEntity } from '@crm/contract'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { crm, settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { t } from '../../base/texts.ts'

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

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
      {isOpen && (
        <Suspense fallback={null}>
          <ExportDialog id={start.data?.data.id} error={start.error} onClose={start.reset} />
        </Suspense>
      )}
    </>
  )
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
