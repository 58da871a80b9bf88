import type { LeadRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { ActivitiesPanel } from '../../domain/activities/activities-panel.tsx'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { DeleteRecordDialog } from '../../records/delete-record-dialog.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { leadTitle } from '../../records/titles.ts'
import { Panel } from '../../shell/page.tsx'
import { ConvertLeadDialog } from './convert-lead-dialog.tsx'
import { EditLeadForm } from './edit-lead-form.tsx'
import { LeadFacts } from './lead-facts.tsx'
import { leadQuery } from './lead-queries.ts'
import { rememberedPlace } from './list-place.ts'
import { LeadStageBar } from './stage-bar.tsx'

const route = getRouteApi('/console/leads/$id')

/** A lead: where it stands, what is known of it, and what happened to it. */
export function LeadPage() {
  const { id } = route.useParams()
  const reading = useQuery(leadQuery(id))
  return (
    <WithRecord noun="lead" back={<BackToLeads />} reading={reading}>
      {(lead) => <KnownLead key={id} lead={lead} />}
    </WithRecord>
  )
}

function BackToLeads() {
  return (
    <BackLink to="/leads" search={rememberedPlace()}>
      Leads
    </BackLink>
  )
}

function KnownLead({ lead }: { readonly lead: LeadRecord }) {
  const [isEditing, setEditing] = useState(false)
  const record = { entityType: 'LEAD', entityId: lead.id } as const
  return (
    <RecordPage
      record={record}
      title={leadTitle(lead)}
      note={lead.companyName !== leadTitle(lead) && lead.companyName}
      back={<BackToLeads />}
      actions={<LeadActions lead={lead} onEdit={() => setEditing(true)} />}
      top={<LeadStageBar lead={lead} />}
      main={
        <Panel title={isEditing ? 'Edit details' : 'Details'}>
          {isEditing ? <EditLeadForm lead={lead} onDone={() => setEditing(false)} /> : <LeadFacts lead={lead} />}
        </Panel>
      }
      aside={
        <>
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} />
        </>
      }
    />
  )
}

function LeadActions({ lead, onEdit }: { readonly lead: LeadRecord; onEdit(): void }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'convert' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_LEAD') && (
        <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      )}
      {may('UPDATE_LEAD') && (
        <Button variant="default" onClick={onEdit}>
          Edit
        </Button>
      )}
      {may('UPDATE_LEAD') && lead.convertedAt === null && <Button onClick={() => setDialog('convert')}>Convert</Button>}
      <ConvertLeadDialog lead={lead} opened={dialog === 'convert'} onClose={close} />
      <DeleteRecordDialog
        record={{ entityType: 'LEAD', entityId: lead.id }}
        title={leadTitle(lead)}
        opened={dialog === 'delete'}
        remove={() => crm.leads.delete({ params: { id: lead.id } })}
        leave={() => navigate({ to: '/leads', search: rememberedPlace() })}
        onClose={close}
      />
    </>
  )
}
