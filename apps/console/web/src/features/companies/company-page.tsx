import type { CompanyRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { emailsTab } from '../../domain/activities/emails-panel.tsx'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { NextStep, tasksTab } from '../../domain/tasks/record-tasks.tsx'
import { quotesTab } from '../../domain/finance/quotes-tab.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Related } from '../../records/related.tsx'
import { companyQuery } from './company-queries.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/companies/$id')

/** A company: its facts, the people and records that belong to it, and its history. */
export function CompanyPage() {
  const { id } = route.useParams()
  const reading = useQuery(companyQuery(id))
  return (
    <WithRecord noun={t('companies.company')} back={<BackToCompanies />} reading={reading}>
      {(company) => <KnownCompany key={id} company={company} />}
    </WithRecord>
  )
}

function BackToCompanies() {
  return (
    <BackLink to="/companies" search={addressOfList('COMPANY')}>
      {t('common.companies')}
    </BackLink>
  )
}

function KnownCompany({ company }: { readonly company: CompanyRecord }) {
  const { id } = company
  const navigate = useNavigate()
  const record = { entityType: 'COMPANY', entityId: id } as const
  return (
    <RecordPage
      record={record}
      title={company.name}
      note={company.domain}
      back={<BackToCompanies />}
      actions={
        <RecordActions record={record} leave={() => navigate({ to: '/companies', search: addressOfList('COMPANY') })} />
      }
      facts={<KeyFacts entityType="COMPANY" record={company} />}
      tabs={[
        tasksTab(record),
        emailsTab(record, company),
        filesTab(record),
        documentsTab(record),
        quotesTab({ companyId: id }),
      ]}
      next={<NextStep record={record} />}
      aside={<Related place={record} record={company} />}
    />
  )
}
