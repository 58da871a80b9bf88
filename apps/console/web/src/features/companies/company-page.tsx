import type { CompanyRecord } from '@crm/contract'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { ActivitiesPanel } from '../../domain/activities/activities-panel.tsx'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { LinkedDocuments } from '../../domain/finance/linked-documents.tsx'
import { fieldName } from '../../records/field-words.ts'
import { LinkedRecords } from '../../records/linked-records.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { describeValue } from '../../records/timeline-words.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import { Website } from '../../records/website.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { CompanyDialog } from './company-dialog.tsx'
import { companyQuery, useIndustries } from './company-queries.ts'

const route = getRouteApi('/console/companies/$id')

/** A company: what is known of it, who and what belongs to it, and what happened to it. */
export function CompanyPage() {
  const { id } = route.useParams()
  const reading = useQuery(companyQuery(id))
  return (
    <WithRecord noun="company" back={<BackToCompanies />} reading={reading}>
      {(company) => <KnownCompany key={id} company={company} />}
    </WithRecord>
  )
}

function BackToCompanies() {
  return (
    <BackLink to="/companies" search={{}}>
      Companies
    </BackLink>
  )
}

function KnownCompany({ company }: { readonly company: CompanyRecord }) {
  const { id } = company
  const record = { entityType: 'COMPANY', entityId: id } as const
  return (
    <RecordPage
      record={record}
      title={company.name}
      note={company.domain}
      back={<BackToCompanies />}
      actions={<CompanyActions company={company} />}
      main={
        <Panel title="Details">
          <CompanyFacts company={company} />
        </Panel>
      }
      aside={
        <>
          <LinkedRecords kind="contacts" of={{ companyId: id }} />
          <LinkedRecords kind="deals" of={{ companyId: id }} />
          <LinkedRecords kind="leads" of={{ companyId: id }} />
          <LinkedRecords kind="companies" of={{ parentId: id }} />
          <LinkedDocuments of={{ companyId: id }} />
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} />
        </>
      }
    />
  )
}

function CompanyFacts({ company }: { readonly company: CompanyRecord }) {
  const people = usePeopleNames([company.ownerId])
  const industry = useIndustries().find(({ id }) => id === company.industryId)
  const parent = useRecordName('COMPANY', company.parentId)
  const address = (value: CompanyRecord['billingAddress']) => describeValue(value, people)
  return (
    <Facts
      facts={[
        ['Domain', company.domain],
        ['Website', company.website && <Website key="website" address={company.website} />],
        [
          'E-mail',
          company.email && (
            <Anchor key="email" href={`mailto:${company.email}`}>
              {company.email}
            </Anchor>
          ),
        ],
        [
          'Phone',
          company.phone && (
            <Anchor key="phone" href={`tel:${company.phone}`}>
              {company.phone}
            </Anchor>
          ),
        ],
        ['Industry', industry?.name],
        ['Size', company.size],
        ['Tax id', company.taxId],
        [
          'Belongs to',
          company.parentId && (
            <Link key="parent" to="/companies/$id" params={{ id: company.parentId }}>
              {parent}
            </Link>
          ),
        ],
        ...(company.billingAddress === null ? [] : [['Billing address', address(company.billingAddress)] as const]),
        ...(company.shippingAddress === null ? [] : [['Shipping address', address(company.shippingAddress)] as const]),
        ['Owner', (company.ownerId !== null && people.get(company.ownerId)) || null],
        ...(company.tags.length > 0 ? [['Tags', company.tags.join(', ')] as const] : []),
        ['Description', company.description],
        ...Object.entries(company.customFields).map(
          ([key, value]) => [fieldName(key), describeValue(value, people)] as const,
        ),
        ['Created', describeInstant(company.createdAt)],
      ]}
    />
  )
}

function CompanyActions({ company }: { readonly company: CompanyRecord }) {
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType: 'COMPANY', entityId: company.id }}
      title={company.name}
      edit={(close) => <CompanyDialog company={company} opened onClose={close} />}
      remove={() => crm.companies.delete({ params: { id: company.id } })}
      leave={() => navigate({ to: '/companies', search: {} })}
    />
  )
}
