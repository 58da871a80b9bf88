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
      title={t('customEntities.customEntities')}
      note={t('customEntities.trackAnythingElseYouWork')}
      narrow
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
          {t('customEntities.newCustomEntity')}
        </Button>
      }
    >
      <TablePanel
        label={t('customEntities.customEntities')}
        reading={entities}
        empty={
          <EmptyState title={t('customEntities.noCustomEntitiesYet')}>
            {t('customEntities.forExampleVehiclesContractsOr')}
          </EmptyState>
        }
        columns={[
          {
            label: t('common.type'),
            cell: ({ key, labels }) => <RowTitle note={<code>{key}</code>}>{labels.plural}</RowTitle>,
          },
          { label: t('common.fields'), cell: ({ fields }) => fields.map(({ label }) => label).join(', ') || '–' },
        ]}
        actions={(entity) => (
          <>
            <RowButton verb={t('common.edit')} name={entity.labels.plural} onClick={() => setEdited(entity)} />
            <RowButton
              verb={t('common.delete')}
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
    said: t('customEntities.theTypeWasDeleted'),
    stale: ['schema', 'custom-entities', 'session'],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened={entity !== null}
      onClose={onClose}
      title={t('customEntities.deleteThisType')}
      confirm={t('common.delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => entity !== null && remove.mutate(entity.id)}
    >
      {t.rich('customEntities.pluralAndTheirPermissionsDisappear', {
        plural: entity?.labels.plural ?? '',
        b: (text) => <b>{text}</b>,
      })}
    </ConfirmDialog>
  )
}
