import type { ContactRecord } from '@crm/contract'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { describeDay, describeInstant } from '../../base/moments.ts'
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
import { contactTitle } from '../../records/titles.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { contactQuery } from './contact-queries.ts'

const route = getRouteApi('/console/contacts/$id')

/** A contact: what is known of the person, what they are part of, and what happened. */
export function ContactPage() {
  const { id } = route.useParams()
  const reading = useQuery(contactQuery(id))
  return (
    <WithRecord noun="contact" back={<BackToContacts />} reading={reading}>
      {(contact) => <KnownContact key={id} contact={contact} />}
    </WithRecord>
  )
}

function BackToContacts() {
  return (
    <BackLink to="/contacts" search={{}}>
      Contacts
    </BackLink>
  )
}

function KnownContact({ contact }: { readonly contact: ContactRecord }) {
  const { id } = contact
  const record = { entityType: 'CONTACT', entityId: id } as const
  return (
    <RecordPage
      record={record}
      title={contactTitle(contact)}
      note={contact.jobTitle}
      back={<BackToContacts />}
      actions={<ContactActions contact={contact} />}
      main={
        <Panel title="Details">
          <ContactFacts contact={contact} />
        </Panel>
      }
      aside={
        <>
          <LinkedRecords kind="deals" of={{ contactId: id }} />
          <LinkedRecords kind="leads" of={{ contactId: id }} />
          <LinkedDocuments of={{ contactId: id }} />
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} />
        </>
      }
    />
  )
}

function ContactFacts({ contact }: { readonly contact: ContactRecord }) {
  const people = usePeopleNames([contact.ownerId])
  const company = useRecordName('COMPANY', contact.companyId)
  const address = describeValue(contact.address, people)
  return (
    <Facts
      facts={[
        [
          'Company',
          contact.companyId && (
            <Link key="company" to="/companies/$id" params={{ id: contact.companyId }}>
              {company}
            </Link>
          ),
        ],
        ['Job title', contact.jobTitle],
        [
          'E-mail',
          contact.email && (
            <Anchor key="email" href={`mailto:${contact.email}`}>
              {contact.email}
            </Anchor>
          ),
        ],
        ...(contact.emails.length > 0 ? [['Further e-mails', contact.emails.join(', ')] as const] : []),
        [
          'Phone',
          contact.phone && (
            <Anchor key="phone" href={`tel:${contact.phone}`}>
              {contact.phone}
            </Anchor>
          ),
        ],
        ...(contact.phones.length > 0 ? [['Further phones', contact.phones.join(', ')] as const] : []),
        ...contact.messengers.map(({ type, handle }) => [fieldName(type), handle] as const),
        ...Object.entries(contact.socials).map(([network, profile]) => [fieldName(network), profile] as const),
        ...(address === null ? [] : [['Address', address] as const]),
        ...(contact.birthday === null ? [] : [['Birthday', describeDay(contact.birthday, 'UTC')] as const]),
        ['Owner', (contact.ownerId !== null && people.get(contact.ownerId)) || null],
        ...(contact.tags.length > 0 ? [['Tags', contact.tags.join(', ')] as const] : []),
        ['Description', contact.description],
        ...Object.entries(contact.customFields).map(
          ([key, value]) => [fieldName(key), describeValue(value, people)] as const,
        ),
        ['Created', describeInstant(contact.createdAt)],
      ]}
    />
  )
}

function ContactActions({ contact }: { readonly contact: ContactRecord }) {
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType: 'CONTACT', entityId: contact.id }}
      title={contactTitle(contact)}
      edit={(close) => <ContactDialog contact={contact} opened onClose={close} />}
      remove={() => crm.contacts.delete({ params: { id: contact.id } })}
      leave={() => navigate({ to: '/contacts', search: {} })}
    />
  )
}
