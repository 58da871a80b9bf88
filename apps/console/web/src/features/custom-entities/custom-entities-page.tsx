import type { CustomEntityRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { customEntitiesQuery } from '../../records/custom-entities.ts'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { EntityDialog } from './entity-dialog.tsx'

/** The types of record that a workspace makes for itself. */
export function CustomEntitiesPage() {
  const [edited, setEdited] = useState<CustomEntityRecord | 'new' | null>(null)
  const [removed, setRemoved] = useState<CustomEntityRecord | null>(null)
  const { data, error, refetch } = useQuery(customEntitiesQuery)
  return (
    <Page
      title="Custom entities"
      note="Types of record of your own, with fields and permissions of their own."
      narrow
      actions={<Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>New type</Button>}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush={data !== undefined && data.length > 0}>
          {data === undefined && <LoadingLines label="Loading the types" />}
          {data?.length === 0 && <EmptyState title="No types yet">Vehicles, contracts, machines: whatever your work is about.</EmptyState>}
          {data !== undefined && data.length > 0 && <EntityTable entities={data} onEdit={setEdited} onRemove={setRemoved} />}
        </Panel>
      )}
      {edited !== null && <EntityDialog key={edited === 'new' ? 'new' : edited.id} entity={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <RemoveDialog entity={removed} onClose={() => setRemoved(null)} />
    </Page>
  )
}

interface EntityTableProps {
  readonly entities: readonly CustomEntityRecord[]
  onEdit(entity: CustomEntityRecord): void
  onRemove(entity: CustomEntityRecord): void
}

function EntityTable({ entities, onEdit, onRemove }: EntityTableProps) {
  return (
    <table className={tables.table} aria-label="Custom entities">
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">Fields</th>
          <th scope="col"><span className={tables.spoken}>Actions</span></th>
        </tr>
      </thead>
      <tbody>
        {entities.map((entity) => (
          <tr key={entity.id}>
            <td><div className={tables.title}>{entity.labels.plural}</div><div className={tables.note}><code>{entity.key}</code></div></td>
            <td>{entity.fields.map(({ label }) => label).join(', ') || '–'}</td>
            <td>
              <div className={tables.actions}>
                <Button variant="default" size="xs" aria-label={`Edit ${entity.labels.plural}`} onClick={() => onEdit(entity)}>Edit</Button>
                <Button variant="subtle" color="red" size="xs" aria-label={`Delete ${entity.labels.plural}`} onClick={() => onRemove(entity)}>Delete</Button>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RemoveDialog({ entity, onClose }: { readonly entity: CustomEntityRecord | null; onClose(): void }) {
  const remove = useChange((id: string) => settings.customEntitySettings.delete({ params: { id } }), { said: 'The type was deleted', stale: ['custom-entities', 'session'], onDone: onClose })
  return (
    <ConfirmDialog opened={entity !== null} onClose={onClose} title="Delete this type?" confirm="Delete" isDestructive isBusy={remove.isPending} error={remove.error} onConfirm={() => entity !== null && remove.mutate(entity.id)}>
      <b>{entity?.labels.plural}</b> and their permissions disappear from every role and key. A type that has records cannot be deleted.
    </ConfirmDialog>
  )
}
