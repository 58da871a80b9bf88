import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DocumentActions, DocumentTitle } from '../../domain/documents/document-actions.tsx'
import { madeQuery, templateQuery, type MadeSearch } from '../../domain/documents/document-queries.ts'
import { documentStatuses } from '../../domain/documents/document-words.ts'
import filters from '../../records/list-filters.module.css'
import { NamedRecordLink } from '../../records/record-link.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { readMadeSearch } from './document-search.ts'
import { addressOf, listOf } from '../../records/record-place.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/documents')

const statusChoices = [
  { value: '', label: t('Any status') },
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
      title={t('Documents')}
      note={
        template === undefined ? (
          t('Created from templates')
        ) : (
          <>
            {t.rich('Created from <link>{name}</link>', {
              name: template.name,
              link: (text) => <Link {...addressOf({ entityType: 'DOCUMENT', entityId: template.id })}>{text}</Link>,
            })}
          </>
        )
      }
      actions={
        <Button renderRoot={(props) => <Link to={listOf('DOCUMENT')} search={{}} {...props} />} variant="default">
          {t('Templates')}
        </Button>
      }
    >
      <search className={filters.filters}>
        <NativeSelect
          aria-label={t('Status')}
          value={search.status ?? ''}
          data={statusChoices}
          onChange={({ currentTarget }) =>
            go(readMadeSearch({ documentId: search.documentId, status: currentTarget.value }))
          }
        />
      </search>
      <TablePanel
        label={t('Documents')}
        reading={documents}
        page={search.page ?? 1}
        onPage={(page) => go({ ...search, page })}
        empty={
          <EmptyState title={isNarrowed ? t('No documents match') : t('No documents yet')}>
            {isNarrowed ? t('Change or clear the filters.') : t('Create one from a company or deal.')}
          </EmptyState>
        }
        columns={[
          { label: t('Title'), cell: (document) => <DocumentTitle document={document} /> },
          { label: t('For'), isExtra: true, cell: (document) => <NamedRecordLink record={document} /> },
          {
            label: t('Status'),
            cell: ({ status }) => <Pill tone={documentStatuses[status].tone}>{documentStatuses[status].name}</Pill>,
          },
          { label: t('Created'), isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
        ]}
        actions={(document) => <DocumentActions document={document} />}
      />
    </Page>
  )
}
