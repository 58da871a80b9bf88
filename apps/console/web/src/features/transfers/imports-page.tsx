import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
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
import { entityNames } from './transfer-words.ts'

/** The imports of the workspace: start one, follow it, see its bad rows, undo it. */
export function ImportsPage() {
  const [page, setPage] = useState(1)
  const [isChoosing, setChoosing] = useState(false)
  const [shownId, setShownId] = useState<string | null>(null)
  const { may } = useSession()
  const imports = useQuery(importsQuery(page))
  const mayCreate = Object.keys(entityNames).some((entityType) => may(`CREATE_${entityType}`))
  return (
    <Page
      title="Import"
      note="Records from CSV files, up to 100,000 rows each. An import can be taken back."
      actions={
        mayCreate && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setChoosing(true)}>
            New import
          </Button>
        )
      }
    >
      <TablePanel
        label="Imports"
        reading={imports}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title="No imports yet">
            Choose a file, say which column is which, and follow what becomes of its rows.
          </EmptyState>
        }
        columns={[
          {
            label: 'File',
            cell: ({ fileName, entityType, total }) => (
              <RowTitle note={`${nameOf(entityType)}, ${total.toLocaleString('en')} rows`}>{fileName}</RowTitle>
            ),
          },
          { label: 'State', cell: ({ state }) => <StatePill state={state} /> },
          { label: 'Created', isExtra: true, cell: ({ created }) => created.toLocaleString('en') },
          { label: 'Updated', isExtra: true, cell: ({ updated }) => updated.toLocaleString('en') },
          { label: 'Bad rows', isExtra: true, cell: ({ failed }) => failed.toLocaleString('en') },
          { label: 'Begun', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
        actions={({ id, fileName }) => <RowButton verb="Show" name={fileName} onClick={() => setShownId(id)} />}
      />
      {isChoosing && (
        <NewImportDialog
          onClose={() => setChoosing(false)}
          onStarted={(id) => {
            setChoosing(false)
            setShownId(id)
          }}
        />
      )}
      {shownId !== null && <ImportDialog id={shownId} onClose={() => setShownId(null)} />}
    </Page>
  )
}

function nameOf(entityType: string): string {
  return (entityNames as Readonly<Record<string, string>>)[entityType] ?? entityType
}
