import type { CustomEntityRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { customEntitiesQuery } from '../../records/custom-entities.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { EntityDialog } from './entity-dialog.tsx'

/** The record types that a workspace declares itself. */
export function CustomEntitiesPage() {
  const [edited, setEdited] = useState<CustomEntityRecord | 'new' | null>(null)
  const [removed, setRemoved] = useState<CustomEntityRecord | null>(null)
  const entities = useQuery(customEntitiesQuery)
  return (
    <Page
      title="Custom entities"
      note="Types of record of your own, with fields and permissions of their own."
      narrow
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
          New type
        </Button>
      }
    >
      <TablePanel
        label="Custom entities"
        reading={entities}
        empty={
          <EmptyState title="No types yet">Vehicles, contracts, machines: whatever your work is about.</EmptyState>
        }
        columns={[
          { label: 'Type', cell: ({ key, labels }) => <RowTitle note={<code>{key}</code>}>{labels.plural}</RowTitle> },
          { label: 'Fields', cell: ({ fields }) => fields.map(({ label }) => label).join(', ') || '–' },
        ]}
        actions={(entity) => (
          <>
            <RowButton verb="Edit" name={entity.labels.plural} onClick={() => setEdited(entity)} />
            <RowButton verb="Delete" name={entity.labels.plural} isDestructive onClick={() => setRemoved(entity)} />
          </>
        )}
      />
      {edited !== null && (
        <EntityDialog
          key={edited === 'new' ? 'new' : edited.id}
          entity={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      <RemoveDialog entity={removed} onClose={() => setRemoved(null)} />
    </Page>
  )
}

function RemoveDialog({ entity, onClose }: { readonly entity: CustomEntityRecord | null; onClose(): void }) {
  const remove = useChange((id: string) => settings.customEntitySettings.delete({ params: { id } }), {
    said: 'The type was deleted',
    stale: ['schema', 'custom-entities', 'session'],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={entity !== null}
      onClose={onClose}
      title="Delete this type?"
      confirm="Delete"
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => entity !== null && remove.mutate(entity.id)}
    >
      <b>{entity?.labels.plural}</b> and their permissions disappear from every role and key. A type that has records
      cannot be deleted.
    </ConfirmDialog>
  )
}
