import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { Age } from '../../shell/age.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { ImportDialog } from './import-dialog.tsx'
import { NewImportDialog } from './new-import-dialog.tsx'
import { StatePill } from './state-pill.tsx'
import { importsQuery, type ImportJob } from './transfer-queries.ts'
import { entityNames } from './transfer-words.ts'

/** The imports of the workspace: begin one, follow it, see its bad rows, take it back. */
export function ImportsPage() {
  const [page, setPage] = useState(1)
  const [isChoosing, setChoosing] = useState(false)
  const [shownId, setShownId] = useState<string | null>(null)
  const { may } = useSession()
  const { data, error, refetch } = useQuery(importsQuery(page))
  const mayCreate = Object.keys(entityNames).some((entityType) => may(`CREATE_${entityType}`))
  return (
    <Page
      title="Imports"
      note="Records from CSV files, up to 100,000 rows each. An import can be taken back."
      actions={mayCreate && <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setChoosing(true)}>New import</Button>}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <div className={tables.loading}><LoadingLines label="Loading the imports" /></div>}
          {data?.items.length === 0 && <EmptyState title="No imports yet">Choose a file, say which column is which, and follow what becomes of its rows.</EmptyState>}
          {data !== undefined && data.items.length > 0 && <ImportsTable jobs={data.items} onShow={setShownId} />}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
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

function ImportsTable({ jobs, onShow }: { readonly jobs: readonly ImportJob[]; onShow(id: string): void }) {
  return (
    <table className={tables.table} aria-label="Imports">
      <thead>
        <tr>
          <th scope="col">File</th>
          <th scope="col">State</th>
          <th scope="col" data-extra>Created</th>
          <th scope="col" data-extra>Updated</th>
          <th scope="col" data-extra>Bad rows</th>
          <th scope="col" data-extra>Begun</th>
          <th scope="col"><span className={tables.spoken}>Actions</span></th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id}>
            <td>
              <div className={tables.title}>{job.fileName}</div>
              <div className={tables.note}>{nameOf(job.entityType)}, {job.total.toLocaleString('en')} rows</div>
            </td>
            <td><StatePill state={job.state} /></td>
            <td data-extra>{job.created.toLocaleString('en')}</td>
            <td data-extra>{job.updated.toLocaleString('en')}</td>
            <td data-extra>{job.failed.toLocaleString('en')}</td>
            <td data-extra><Age at={job.createdAt} /></td>
            <td><div className={tables.actions}><Button variant="default" size="xs" aria-label={`Show ${job.fileName}`} onClick={() => onShow(job.id)}>Show</Button></div></td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function nameOf(entityType: string): string {
  return (entityNames as Readonly<Record<string, string>>)[entityType] ?? entityType
}
