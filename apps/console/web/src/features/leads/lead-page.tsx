import type { LeadRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { emailsTab } from '../../domain/activities/emails-panel.tsx'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { NextStep, tasksTab } from '../../domain/tasks/record-tasks.tsx'
import { needsNextStep } from '../../records/next-steps.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { usePageCommand } from '../../records/page-commands.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Related } from '../../records/related.tsx'
import { leadTitle } from '../../records/titles.ts'
import { ConvertLeadDialog } from './convert-lead-dialog.tsx'
import { leadQuery } from './lead-queries.ts'
import { LeadStageBar } from './stage-bar.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/leads/$id')

/** A lead: its stage, its facts, and its history. */
export function LeadPage() {
  const { id } = route.useParams()
  const reading = useQuery(leadQuery(id))
  return (
    <WithRecord noun={t('leads.lead')} back={<BackToLeads />} reading={reading}>
      {(lead) => <KnownLead key={id} lead={lead} />}
    </WithRecord>
  )
}

function BackToLeads() {
  return (
    <BackLink to="/leads" search={addressOfList('LEAD')}>
      {t('common.leads')}
    </BackLink>
  )
}

function KnownLead({ lead }: { readonly lead: LeadRecord }) {
  const navigate = useNavigate()
  const record = { entityType: 'LEAD', entityId: lead.id } as const
  return (
    <RecordPage
      record={record}
      title={leadTitle(lead)}
      note={lead.companyName !== leadTitle(lead) && lead.companyName}
      back={<BackToLeads />}
      actions={
        <RecordActions record={record} leave={() => navigate({ to: '/leads', search: addressOfList('LEAD') })}>
          <Conversion lead={lead} />
        </RecordActions>
      }
      top={<LeadStageBar lead={lead} />}
      facts={<KeyFacts entityType="LEAD" record={lead} />}
      tabs={[tasksTab(record), emailsTab(record, lead), filesTab(record), documentsTab(record)]}
      next={<NextStep record={record} needsNext={needsNextStep('LEAD', lead)} />}
      aside={<Related place={record} record={lead} />}
    />
  )
}

function Conversion({ lead }: { readonly lead: LeadRecord }) {
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  const convert = may('UPDATE_LEAD') && lead.convertedAt === null && (() => setOpen(true))
  usePageCommand('convert', convert)
  if (!convert) return null
  return (
    <>
      <Button onClick={convert}>{t('leads.convert')}</Button>
      <ConvertLeadDialog lead={lead} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
