import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DocumentActions, DocumentTitle } from '../../domain/documents/document-actions.tsx'
import { madeQuery, templateQuery, type MadeSearch } from '../../domain/documents/document-queries.ts'
import { documentStatuses } from '../../domain/documents/document-words.ts'
import filters from '../../records/list-filters.module.css'
import { RecordLink } from '../../records/record-link.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { readMadeSearch } from './document-search.ts'

const route = getRouteApi('/console/documents')

const statusChoices = [
  { value: '', label: 'Any status' },
  ...Object.entries(documentStatuses).map(([value, { name }]) => ({ value, label: name })),
]

/** The created documents of every record that the person may see. */
export function DocumentsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: MadeSearch) => void navigate({ search: readMadeSearch({ ...next }) })
  const documents = useQuery(madeQuery(search))
  const { data: template } = useQuery({
    ...templateQuery(search.documentId ?? ''),
    enabled: search.documentId !== undefined,
  })
  const isNarrowed = search.status !== undefined || search.documentId !== undefined
  return (
    <Page
      title="Documents"
      note={
        template === undefined ? (
          'Made from templates for records'
        ) : (
          <>
            Made from{' '}
            <Link to="/document-templates/$id" params={{ id: template.id }}>
              {template.name}
            </Link>
          </>
        )
      }
      actions={
        <Button renderRoot={(props) => <Link to="/document-templates" search={{}} {...props} />} variant="default">
          Templates
        </Button>
      }
    >
      <search className={filters.filters}>
        <NativeSelect
          aria-label="Status"
          value={search.status ?? ''}
          data={statusChoices}
          onChange={({ currentTarget }) =>
            go(readMadeSearch({ documentId: search.documentId, status: currentTarget.value }))
          }
        />
      </search>
      <TablePanel
        label="Documents"
        reading={documents}
        page={search.page ?? 1}
        onPage={(page) => go({ ...search, page })}
        empty={
          <EmptyState title={isNarrowed ? 'No document matches' : 'No documents yet'}>
            {isNarrowed
              ? 'Nothing here is of that kind.'
              : 'Make one on the page of a record, such as a company or a deal.'}
          </EmptyState>
        }
        columns={[
          { label: 'Title', cell: (document) => <DocumentTitle document={document} /> },
          { label: 'For', isExtra: true, cell: (document) => <RecordLink record={document} /> },
          {
            label: 'Status',
            cell: ({ status }) => <Pill tone={documentStatuses[status].tone}>{documentStatuses[status].name}</Pill>,
          },
          { label: 'Made', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
        actions={(document) => <DocumentActions document={document} />}
      />
    </Page>
  )
}
