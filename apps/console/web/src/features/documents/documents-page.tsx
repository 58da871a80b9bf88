import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DocumentActions, DocumentTitle } from '../../domain/documents/document-actions.tsx'
import { madeQuery, templateQuery, type MadeSearch } from '../../domain/documents/document-queries.ts'
import { documentStatuses } from '../../domain/documents/document-words.ts'
import filters from '../../records/list-filters.module.css'
import { RecordLink } from '../../records/record-link.tsx'
import { Age } from '../../shell/age.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { readMadeSearch } from './document-search.ts'

const route = getRouteApi('/console/documents')

const statusChoices = [{ value: '', label: 'Any status' }, ...Object.entries(documentStatuses).map(([value, { name }]) => ({ value, label: name }))]

/** The documents that were made, of every record that the person may see. */
export function DocumentsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: MadeSearch) => void navigate({ search: readMadeSearch({ ...next }) })
  const { data, error, isPlaceholderData, refetch } = useQuery(madeQuery(search))
  const { data: template } = useQuery({ ...templateQuery(search.documentId ?? ''), enabled: search.documentId !== undefined })
  const isNarrowed = search.status !== undefined || search.documentId !== undefined
  return (
    <Page
      title="Documents"
      note={template === undefined ? 'Made from templates for records' : <>Made from <Link to="/document-templates/$id" params={{ id: template.id }}>{template.name}</Link></>}
      actions={<Button renderRoot={(props) => <Link to="/document-templates" search={{}} {...props} />} variant="default">Templates</Button>}
    >
      <search className={filters.filters}>
        <NativeSelect aria-label="Status" value={search.status ?? ''} data={statusChoices} onChange={({ currentTarget }) => go(readMadeSearch({ documentId: search.documentId, status: currentTarget.value }))} />
      </search>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <div className={tables.loading}><LoadingLines label="Loading the documents" /></div>}
          {data?.items.length === 0 && <EmptyState title={isNarrowed ? 'No document matches' : 'No documents yet'}>{isNarrowed ? 'Nothing here is of that kind.' : 'Make one on the page of a record, such as a company or a deal.'}</EmptyState>}
          {data !== undefined && data.items.length > 0 && (
            <table className={tables.table} aria-label="Documents" data-stale={isPlaceholderData}>
              <thead><tr><th scope="col">Title</th><th scope="col" data-extra>For</th><th scope="col">Status</th><th scope="col" data-extra>Made</th><th scope="col"><span className={tables.spoken}>Actions</span></th></tr></thead>
              <tbody>
                {data.items.map((document) => (
                  <tr key={document.id}>
                    <td><DocumentTitle document={document} /></td>
                    <td data-extra><RecordLink record={document} /></td>
                    <td><Pill tone={documentStatuses[document.status].tone}>{documentStatuses[document.status].name}</Pill></td>
                    <td data-extra><Age at={document.createdAt} /></td>
                    <td><div className={tables.actions}><DocumentActions document={document} /></div></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={data.page} pageSize={data.pageSize} total={data.total} onPage={(page) => go({ ...search, page })} />}
    </Page>
  )
}
