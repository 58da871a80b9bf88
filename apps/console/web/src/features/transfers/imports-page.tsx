import { kindName } from '../../records/kind-words.ts'
import { transferredEntities } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { NewImportDialog } from './new-import-dialog.tsx'
import { StatePill } from './state-pill.tsx'
import { importsQuery } from './transfer-queries.ts'
import { inDigits, t } from '../../base/texts.ts'

const route = getRouteApi('/console/settings/import')

/** The imports of the workspace: start one, follow it, see its bad rows, undo it. */
export function ImportsPage() {
  const [page, setPage] = useState(1)
  const { new: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const [isChoosing, setChoosing] = useState(asked !== undefined)
  const [shownId, setShownId] = useState<string | null>(null)
  const { may } = useSession()
  const imports = useQuery(importsQuery(page))
  const mayCreate = transferredEntities.some((entityType) => may(`CREATE_${entityType}`))
  const close = () => {
    setChoosing(false)
    void navigate({ search: {}, replace: true })
  }
  return (
    <Page
      title={t('transfers.import')}
      note={t('transfers.recordsFromCsvFilesUp')}
      actions={
        mayCreate && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setChoosing(true)}>
            {t('transfers.newImport')}
          </Button>
        )
      }
    >
      <TablePanel
        label={t('transfers.imports')}
        reading={imports}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('transfers.noImportsYet')}>{t('transfers.uploadACsvMatchIts')}</EmptyState>}
        columns={[
          {
            label: t('transfers.file'),
            cell: ({ fileName, entityType, total }) => (
              <RowTitle note={t('transfers.entitytypeTotalRows', { entityType: kindName(entityType), total })}>
                {fileName}
              </RowTitle>
            ),
          },
          { label: t('common.status'), cell: ({ state }) => <StatePill state={state} /> },
          { label: t('common.created'), isExtra: true, cell: ({ created }) => inDigits(created) },
          { label: t('transfers.updated'), isExtra: true, cell: ({ updated }) => inDigits(updated) },
          { label: t('transfers.rowsWithErrors'), isExtra: true, cell: ({ failed }) => inDigits(failed) },
          { label: t('transfers.started'), isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
        actions={({ id, fileName }) => (
          <RowButton verb={t('common.show')} name={fileName} onClick={() => setShownId(id)} />
        )}
      />
      {isChoosing && (
        <NewImportDialog
          asked={asked}
          onClose={close}
          onStarted={(id) => {
            close()
            setShownId(id)
          }}
        />
      )}
      {shownId !== null && <ImportDialog id={shownId} onClose={() => setShownId(null)} />}
    </Page>
  )
}
