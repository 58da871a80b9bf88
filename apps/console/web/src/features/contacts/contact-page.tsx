import type { ContactRecord } from '@crm/contract'
import { Anchor, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeDay, describeInstant } from '../../base/moments.ts'
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
import { contactTitle } from '../../records/titles.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { contactQuery } from './contact-queries.ts'

const route = getRouteApi('/console/contacts/$id')

/** A contact: what is known of the person, what they are part of, and what happened. */
export function ContactPage() {
  const { id } = route.useParams()
  const { data: contact, error, refetch } = useQuery(contactQuery(id))
  if (contact !== undefined) return <KnownContact key={id} contact={contact} />
  return (
    <Page title={error === null ? 'Contact' : 'This contact cannot be shown'} above={<BackToContacts />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the contact" /></Panel>}
    </Page>
  )
}

function BackToContacts() {
  return <Link to="/contacts" search={{}} className={classes.back}><Icon name="left" size={16} />Contacts</Link>
}

function KnownContact({ contact }: { readonly contact: ContactRecord }) {
  const client = useQueryClient()
  const { id } = contact
  const record = { entityType: 'CONTACT', entityId: id } as const
  return (
    <Page title={contactTitle(contact)} note={contact.jobTitle} above={<BackToContacts />} actions={<ContactActions contact={contact} />}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title="Details"><ContactFacts contact={contact} /></Panel>
          <Panel title="Comments"><Comments record={record} /></Panel>
        </div>
        <div className={classes.column}>
          <LinkedRecords kind="deals" of={{ contactId: id }} />
          <LinkedRecords kind="leads" of={{ contactId: id }} />
          <LinkedDocuments of={{ contactId: id }} />
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} onChange={() => client.invalidateQueries({ queryKey: ['contacts', 'timeline', id] })} />
          <Panel title="Timeline"><Timeline record={record} /></Panel>
        </div>
      </div>
    </Page>
  )
}

function ContactFacts({ contact }: { readonly contact: ContactRecord }) {
  const people = usePeopleNames([contact.ownerId])
  const company = useRecordName('COMPANY', contact.companyId)
  const address = describeValue(contact.address, people)
  return (
    <Facts
      facts={[
        ['Company', contact.companyId && <Link key="company" to="/companies/$id" params={{ id: contact.companyId }}>{company}</Link>],
        ['Job title', contact.jobTitle],
        ['E-mail', contact.email && <Anchor key="email" href={`mailto:${contact.email}`}>{contact.email}</Anchor>],
        ...(contact.emails.length > 0 ? [['Further e-mails', contact.emails.join(', ')] as const] : []),
        ['Phone', contact.phone && <Anchor key="phone" href={`tel:${contact.phone}`}>{contact.phone}</Anchor>],
        ...(contact.phones.length > 0 ? [['Further phones', contact.phones.join(', ')] as const] : []),
        ...contact.messengers.map(({ type, handle }) => [fieldName(type), handle] as const),
        ...Object.entries(contact.socials).map(([network, profile]) => [fieldName(network), profile] as const),
        ...(address === null ? [] : [['Address', address] as const]),
        ...(contact.birthday === null ? [] : [['Birthday', describeDay(contact.birthday, 'UTC')] as const]),
        ['Owner', (contact.ownerId !== null && people.get(contact.ownerId)) || null],
        ...(contact.tags.length > 0 ? [['Tags', contact.tags.join(', ')] as const] : []),
        ['Description', contact.description],
        ...Object.entries(contact.customFields).map(([key, value]) => [fieldName(key), describeValue(value, people)] as const),
        ['Created', describeInstant(contact.createdAt)],
      ]}
    />
  )
}

function ContactActions({ contact }: { readonly contact: ContactRecord }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_CONTACT') && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may('UPDATE_CONTACT') && <Button variant="default" onClick={() => setDialog('edit')}>Edit</Button>}
      {dialog === 'edit' && <ContactDialog contact={contact} opened onClose={close} />}
      <DeleteRecordDialog
        record={{ entityType: 'CONTACT', entityId: contact.id }}
        title={contactTitle(contact)}
        opened={dialog === 'delete'}
        remove={() => crm.contacts.delete({ params: { id: contact.id } })}
        leave={() => navigate({ to: '/contacts', search: {} })}
        onClose={close}
      />
    </>
  )
}
