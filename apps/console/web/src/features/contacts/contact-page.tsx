import type { ContactRecord } from '@crm/contract'
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
      tabs={[
        tasksTab(record),
        emailsTab(record, contact),
        filesTab(record),
        documentsTab(record),
        quotesTab({ contactId: id }),
      ]}
      next={<NextStep record={record} />}
      aside={<Related place={record} record={contact} />}
    />
  )
}
