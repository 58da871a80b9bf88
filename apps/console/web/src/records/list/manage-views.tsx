import { Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { notifyUndoable } from '../../shell/undo.ts'
import { RecordTable, RowButton, RowTitle } from '../record-table.tsx'
import type { SavedView } from './list-queries.ts'
import { ViewDialog, visibilityNames } from './view-dialog.tsx'
import { t } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

interface ManageViewsProps {
  readonly views: readonly SavedView[]
  onDeleted(id: string): void
  onClose(): void
}

/** The saved views of a list, which their owners can delete. */
export function ManageViews({ views, onDeleted, onClose }: ManageViewsProps) {
  const { may, person } = useSession()
  const people = usePeopleNames(views.map(({ ownerId }) => ownerId))
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['saved-filters'] })
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => crm.savedFilters.delete({ params: { id } }),
    onSuccess: (_answer, view) => {
      onDeleted(view.id)
      notifyUndoable(t('View deleted'), async () => {
        await crm.savedFilters.create({ body: bodyOfView(view) })
        await refresh()
      })
      return refresh()
    },
  })
  const [edited, setEdited] = useState<SavedView | null>(null)
  const isManaged = ({ ownerId, visibility }: SavedView) =>
    ownerId === person.id || (visibility === 'WORKSPACE' && may('MANAGE_WORKSPACE'))
  return (
    <Dialog opened onClose={onClose} title={t('Views')} size="lg">
      <Stack>
        <RefusalAlert error={remove.error} />
        {views.length === 0 && <EmptyState title={t('No saved views yet')} />}
        {views.length > 0 && (
          <RecordTable
            label={t('Views')}
            rows={views}
            columns={[
              {
                label: t('Name'),
                cell: ({ name, isDefault }) => <RowTitle note={isDefault ? t('Default') : undefined}>{name}</RowTitle>,
              },
              { label: t('Who can see it'), cell: ({ visibility }) => visibilityNames[visibility] },
              {
                label: t('Owner'),
                isExtra: true,
                cell: ({ ownerId }) => people.get(ownerId) ?? t('Unknown user'),
              },
            ]}
            actions={(view) =>
              isManaged(view) && (
                <>
                  <RowButton verb={t('Edit')} name={view.name} onClick={() => setEdited(view)} />
                  <RowButton verb={t('Delete')} name={view.name} isDestructive onClick={() => remove.mutate(view)} />
                </>
              )
            }
          />
        )}
      </Stack>
      {edited && (
        <ViewDialog
          entityType={edited.entityType}
          view={edited}
          onSaved={() => undefined}
          onClose={() => setEdited(null)}
        />
      )}
    </Dialog>
  )
}

/** Returns what a view is made of, to make the same one again. */
function bodyOfView(view: SavedView) {
  const { name, entityType, visibility, query, sortBy, sortOrder, columns, columnWidths } = view
  const { density, groupBy, dateField, measures, position, isDefault } = view
  const arranged = { view: view.view, density, columns, columnWidths, groupBy, dateField, measures, position }
  return { name, entityType, visibility, query, sortBy, sortOrder, ...arranged, isDefault: isDefault || undefined }
}
