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
      notifyUndoable(t('records.viewDeleted'), async () => {
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
    <Dialog opened onClose={onClose} title={t('records.views')} size="lg">
      <Stack>
        <RefusalAlert error={remove.error} />
        {views.length === 0 && <EmptyState title={t('records.noSavedViewsYet')} />}
        {views.length > 0 && (
          <RecordTable
            label={t('records.views')}
            rows={views}
            columns={[
              {
                label: t('common.name'),
                cell: ({ name, isDefault }) => (
                  <RowTitle note={isDefault ? t('records.default') : undefined}>{name}</RowTitle>
                ),
              },
              { label: t('records.whoCanSeeIt'), cell: ({ visibility }) => visibilityNames[visibility] },
              {
                label: t('common.owner'),
                isExtra: true,
                cell: ({ ownerId }) => people.get(ownerId) ?? t('records.unknownUser'),
              },
            ]}
            actions={(view) =>
              isManaged(view) && (
                <>
                  <RowButton verb={t('common.edit')} name={view.name} onClick={() => setEdited(view)} />
                  <RowButton
                    verb={t('common.delete')}
                    name={view.name}
                    isDestructive
                    onClick={() => remove.mutate(view)}
                  />
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
