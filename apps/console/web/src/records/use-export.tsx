import { useMutation } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { crm, settings } from '../base/api.ts'
import { inOwnDays } from '../base/moments.ts'
import { later } from '../shell/later.tsx'

const ExportDialog = later(async () => (await import('./export-dialog.tsx')).ExportDialog)

/** The records of an export: all that a list finds, or some by id. */
export type ExportChoice = { readonly query: Readonly<Record<string, unknown>> } | { readonly ids: readonly string[] }

/** Exports records as CSV. The dialog follows the export until its file can be downloaded. */
export function useExport(entityType: string): {
  readonly isPending: boolean
  readonly dialog: ReactNode
  start(choice: ExportChoice): void
} {
  const exporting = useMutation({
    mutationFn: async (choice: ExportChoice) => {
      const chosen = 'ids' in choice ? { ids: [...choice.ids] } : { filters: await filtersOf(choice.query) }
      return settings.exports.create({ body: { entityType, ...chosen } })
    },
  })
  const isOpen = exporting.data !== undefined || exporting.error !== null
  return {
    isPending: exporting.isPending,
    start: exporting.mutate,
    dialog: isOpen && <ExportDialog id={exporting.data?.data.id} error={exporting.error} onClose={exporting.reset} />,
  }
}

const notFilters: readonly string[] = ['page', 'pageSize', 'sortBy', 'sortOrder', 'savedFilterId']

/** Returns the parameters inside a saved filter, because an export takes them themselves. */
async function filtersOf(query: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
  const { savedFilterId } = query
  const saved =
    typeof savedFilterId === 'string' ? (await crm.savedFilters.get({ params: { id: savedFilterId } })).data.query : {}
  const given = Object.entries(query).filter(([name, value]) => value !== undefined && !notFilters.includes(name))
  const filters = { ...saved, ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
  return Object.keys(filters).length === 0 ? {} : inOwnDays(filters)
}
