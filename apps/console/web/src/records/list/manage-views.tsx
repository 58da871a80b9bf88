import { Modal, Stack } from '@mantine/core'
import { crm } from '../../base/api.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { useChange } from '../../shell/changes.ts'
import { EmptyState, RefusalAlert } from '../../shell/states.tsx'
import { RecordTable, RowButton, RowTitle } from '../record-table.tsx'
import type { SavedView } from './list-queries.ts'
import { visibilityNames } from './view-dialog.tsx'

interface ManageViewsProps {
  readonly views: readonly SavedView[]
  onDeleted(id: string): void
  onClose(): void
}

/** The saved views of a list, which their owners can delete. */
export function ManageViews({ views, onDeleted, onClose }: ManageViewsProps) {
  const { may, person } = useSession()
  const people = usePeopleNames(views.map(({ ownerId }) => ownerId))
  const remove = useChange(
    async (id: string) => {
      await crm.savedFilters.delete({ params: { id } })
      onDeleted(id)
    },
    { said: 'View deleted', stale: ['saved-filters'] },
  )
  const isManaged = ({ ownerId, visibility }: SavedView) =>
    ownerId === person.id || (visibility === 'WORKSPACE' && may('MANAGE_WORKSPACE'))
  return (
    <Modal opened onClose={onClose} title="Views" size="lg">
      <Stack>
        <RefusalAlert error={remove.error} />
        {views.length === 0 && <EmptyState title="No saved views yet" />}
        {views.length > 0 && (
          <RecordTable
            label="Views"
            rows={views}
            columns={[
              { label: 'Name', cell: ({ name }) => <RowTitle>{name}</RowTitle> },
              { label: 'Who can see it', cell: ({ visibility }) => visibilityNames[visibility] },
              { label: 'Owner', isExtra: true, cell: ({ ownerId }) => people.get(ownerId) ?? 'Unknown user' },
            ]}
            actions={(view) =>
              isManaged(view) && (
                <RowButton verb="Delete" name={view.name} isDestructive onClick={() => remove.mutate(view.id)} />
              )
            }
          />
        )}
      </Stack>
    </Modal>
  )
}
