import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/document-templates')

const words = {
  title: t('documents.documentTemplates'),
  kind: 'TEMPLATE',
  one: t('documents.template2'),
  many: t('documents.templates2'),
  searched: t('documents.nameOrKind'),
  origin: t('documents.aTemplateIsAText'),
}

/** The list of document templates. */
export function TemplatesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="DOCUMENT"
      words={words}
      address={search}
      creating={{ Dialog: TemplateDialog }}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}
