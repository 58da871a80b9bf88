import type { ContactRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { activitiesTab } from '../../domain/activities/activities-panel.tsx'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { NextStep, tasksTab } from '../../domain/tasks/record-tasks.tsx'
import { LinkedDocuments } from '../../domain/finance/linked-documents.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import { LinkedRecords } from '../../records/linked-records.tsx'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { contactTitle } from '../../records/titles.ts'
import { contactQuery } from './contact-queries.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/contacts/$id')

/** A contact: the facts about the person, their relations, and their history. */
export function ContactPage() {
  const { id } = route.useParams()
  const reading = useQuery(contactQuery(id))
  return (
    <WithRecord noun={t('contacts.contact')} back={<BackToContacts />} reading={reading}>
      {(contact) => <KnownContact key={id} contact={contact} />}
    </WithRecord>
  )
}

function BackToContacts() {
  return (
    <BackLink to="/contacts" search={addressOfList('CONTACT')}>
      {t('common.contacts')}
    </BackLink>
  )
}

function KnownContact({ contact }: { readonly contact: ContactRecord }) {
  const { id } = contact
  const navigate = useNavigate()
  const record = { entityType: 'CONTACT', entityId: id } as const
  return (
    <RecordPage
      record={record}
      title={contactTitle(contact)}
      note={contact.jobTitle}
      back={<BackToContacts />}
      actions={
        <RecordActions record={record} leave={() => navigate({ to: '/contacts', search: addressOfList('CONTACT') })} />
      }
      facts={<KeyFacts entityType="CONTACT" record={contact} />}
      tabs={[tasksTab(record), activitiesTab(record, contact), documentsTab(record), filesTab(record)]}
      next={<NextStep record={record} />}
      aside={
        <>
          <LinkedRecords kind="deals" of={{ contactId: id }} />
          <LinkedRecords kind="leads" of={{ contactId: id }} />
          <LinkedDocuments of={{ contactId: id }} />
        </>
      }
    />
  )
}
