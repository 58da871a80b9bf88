import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { templateAddress, templatesQuery } from '../../domain/documents/document-queries.ts'
import { RecordList } from '../../records/record-list.tsx'
import classes from '../../records/record-table.module.css'
import type { Column } from '../../records/record-table.tsx'
import { Age } from '../../shell/age.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/document-templates')

type Template = Awaited<ReturnType<typeof crm.documents.list>>['items'][number]

const words = {
  title: t('documents.documentTemplates'),
  kind: 'TEMPLATE',
  one: t('documents.template2'),
  many: t('documents.templates2'),
  searched: t('documents.nameOrKind'),
  origin: t('documents.aTemplateIsAText'),
}

const columns: readonly Column<Template, 'createdAt' | 'updatedAt' | 'name' | 'kind'>[] = [
  {
    label: t('common.name'),
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to="/document-templates/$id" params={{ id }} className={classes.name}>
        {name}
      </Link>
    ),
  },
  { label: t('documents.type'), sort: 'kind', cell: ({ kind }) => kind },
  { label: t('documents.changed'), sort: 'updatedAt', isExtra: true, cell: ({ updatedAt }) => <Age at={updatedAt} /> },
  { label: t('common.created'), sort: 'createdAt', isExtra: true, cell: ({ createdAt }) => <Age at={createdAt} /> },
]

/** The list of document templates. */
export function TemplatesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { may } = useSession()
  const list = useQuery(templatesQuery(templateAddress.queryOf(search)))
  return (
    <RecordList
      words={words}
      address={templateAddress}
      search={search}
      list={list}
      columns={columns}
      CreateDialog={may('CREATE_DOCUMENT') ? TemplateDialog : undefined}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}
