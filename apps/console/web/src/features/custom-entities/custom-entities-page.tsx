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
import { t } from '../../base/texts.ts'

/** The record types that a workspace declares itself. */
export function CustomEntitiesPage() {
  const [edited, setEdited] = useState<CustomEntityRecord | 'new' | null>(null)
  const [removed, setRemoved] = useState<CustomEntityRecord | null>(null)
  const entities = useQuery(customEntitiesQuery)
  return (
    <Page
      title={t('Custom entities')}
      note={t('Track anything else you work with: contracts, vehicles, machines.')}
      narrow
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
          {t('New custom entity')}
        </Button>
      }
    >
      <TablePanel
        label={t('Custom entities')}
        reading={entities}
        empty={
          <EmptyState title={t('No custom entities yet')}>
            {t('For example vehicles, contracts or machines.')}
          </EmptyState>
        }
        columns={[
          {
            label: t('Type'),
            cell: ({ key, labels }) => <RowTitle note={<code>{key}</code>}>{labels.plural}</RowTitle>,
          },
          { label: t('Fields'), cell: ({ fields }) => fields.map(({ label }) => label).join(', ') || '–' },
        ]}
        actions={(entity) => (
          <>
            <RowButton verb={t('Edit')} name={entity.labels.plural} onClick={() => setEdited(entity)} />
            <RowButton
              verb={t('Delete')}
              name={entity.labels.plural}
              isDestructive
              onClick={() => setRemoved(entity)}
            />
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
    said: t('Custom entity deleted'),
    stale: ['schema', 'custom-entities', 'session'],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={entity !== null}
      onClose={onClose}
      title={t('Delete this custom entity?')}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => entity !== null && remove.mutate(entity.id)}
    >
      {t.rich(
        '<b>{plural}</b> and their permissions disappear from every role and key. A custom entity with records cannot be deleted.',
        {
          plural: entity?.labels.plural ?? '',
          b: (text) => <b>{text}</b>,
        },
      )}
    </ConfirmDialog>
  )
}
