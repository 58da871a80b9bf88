import type { CompanyRecord } from '@crm/contract'
import { Anchor, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { ActivitiesPanel } from '../../domain/activities/activities-panel.tsx'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { LinkedDocuments } from '../../domain/finance/linked-documents.tsx'
import { Comments } from '../../records/comments.tsx'
import { DeleteRecordDialog } from '../../records/delete-record-dialog.tsx'
import { fieldName } from '../../records/field-words.ts'
import { LinkedRecords } from '../../records/linked-records.tsx'
import classes from '../../records/record-page.module.css'
import { describeValue } from '../../records/timeline-words.ts'
import { Timeline } from '../../records/timeline.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Website } from '../../records/website.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { CompanyDialog } from './company-dialog.tsx'
import { companyQuery, useIndustries } from './company-queries.ts'

const route = getRouteApi('/console/companies/$id')

/** A company: what is known of it, who and what belongs to it, and what happened to it. */
export function CompanyPage() {
  const { id } = route.useParams()
  const { data: company, error, refetch } = useQuery(companyQuery(id))
  if (company !== undefined) return <KnownCompany key={id} company={company} />
  return (
    <Page title={error === null ? 'Company' : 'This company cannot be shown'} above={<BackToCompanies />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the company" /></Panel>}
    </Page>
  )
}

function BackToCompanies() {
  return <Link to="/companies" search={{}} className={classes.back}><Icon name="left" size={16} />Companies</Link>
}

function KnownCompany({ company }: { readonly company: CompanyRecord }) {
  const client = useQueryClient()
  const { id } = company
  const record = { entityType: 'COMPANY', entityId: id } as const
  return (
    <Page title={company.name} note={company.domain} above={<BackToCompanies />} actions={<CompanyActions company={company} />}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title="Details"><CompanyFacts company={company} /></Panel>
          <Panel title="Comments"><Comments record={record} /></Panel>
        </div>
        <div className={classes.column}>
          <LinkedRecords kind="contacts" of={{ companyId: id }} />
          <LinkedRecords kind="deals" of={{ companyId: id }} />
          <LinkedRecords kind="leads" of={{ companyId: id }} />
          <LinkedRecords kind="companies" of={{ parentId: id }} />
          <LinkedDocuments of={{ companyId: id }} />
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} onChange={() => client.invalidateQueries({ queryKey: ['companies', 'timeline', id] })} />
          <Panel title="Timeline"><Timeline record={record} /></Panel>
        </div>
      </div>
    </Page>
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
        ['E-mail', company.email && <Anchor key="email" href={`mailto:${company.email}`}>{company.email}</Anchor>],
        ['Phone', company.phone && <Anchor key="phone" href={`tel:${company.phone}`}>{company.phone}</Anchor>],
        ['Industry', industry?.name],
        ['Size', company.size],
        ['Tax id', company.taxId],
        ['Belongs to', company.parentId && <Link key="parent" to="/companies/$id" params={{ id: company.parentId }}>{parent}</Link>],
        ...(company.billingAddress === null ? [] : [['Billing address', address(company.billingAddress)] as const]),
        ...(company.shippingAddress === null ? [] : [['Shipping address', address(company.shippingAddress)] as const]),
        ['Owner', (company.ownerId !== null && people.get(company.ownerId)) || null],
        ...(company.tags.length > 0 ? [['Tags', company.tags.join(', ')] as const] : []),
        ['Description', company.description],
        ...Object.entries(company.customFields).map(([key, value]) => [fieldName(key), describeValue(value, people)] as const),
        ['Created', describeInstant(company.createdAt)],
      ]}
    />
  )
}

function CompanyActions({ company }: { readonly company: CompanyRecord }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_COMPANY') && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may('UPDATE_COMPANY') && <Button variant="default" onClick={() => setDialog('edit')}>Edit</Button>}
      {dialog === 'edit' && <CompanyDialog company={company} opened onClose={close} />}
      <DeleteRecordDialog
        record={{ entityType: 'COMPANY', entityId: company.id }}
        title={company.name}
        opened={dialog === 'delete'}
        remove={() => crm.companies.delete({ params: { id: company.id } })}
        leave={() => navigate({ to: '/companies', search: {} })}
        onClose={close}
      />
    </>
  )
}
