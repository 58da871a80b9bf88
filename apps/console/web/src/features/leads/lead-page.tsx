import type { LeadRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { ActivitiesPanel } from '../../domain/activities/activities-panel.tsx'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { Comments } from '../../records/comments.tsx'
import classes from '../../records/record-page.module.css'
import { Timeline } from '../../records/timeline.tsx'
import { leadTitle } from '../../records/titles.ts'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ConvertLeadDialog } from './convert-lead-dialog.tsx'
import { DeleteLeadDialog } from './delete-lead-dialog.tsx'
import { EditLeadForm } from './edit-lead-form.tsx'
import { LeadFacts } from './lead-facts.tsx'
import { leadQuery } from './lead-queries.ts'
import { rememberedPlace } from './list-place.ts'
import { LeadStageBar } from './stage-bar.tsx'

const route = getRouteApi('/console/leads/$id')

/** A lead: where it stands, what is known of it, and what happened to it. */
export function LeadPage() {
  const { id } = route.useParams()
  const { data: lead, error, refetch } = useQuery(leadQuery(id))
  if (lead !== undefined) return <KnownLead key={id} lead={lead} />
  return (
    <Page title={error === null ? 'Lead' : 'This lead cannot be shown'} above={<BackToLeads />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the lead" /></Panel>}
    </Page>
  )
}

function BackToLeads() {
  return <Link to="/leads" search={rememberedPlace()} className={classes.back}><Icon name="left" size={16} />Leads</Link>
}

function KnownLead({ lead }: { readonly lead: LeadRecord }) {
  const [isEditing, setEditing] = useState(false)
  const client = useQueryClient()
  const record = { entityType: 'LEAD', entityId: lead.id } as const
  return (
    <Page title={leadTitle(lead)} note={lead.companyName !== leadTitle(lead) && lead.companyName} above={<BackToLeads />} actions={<LeadActions lead={lead} onEdit={() => setEditing(true)} />}>
      <LeadStageBar lead={lead} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title={isEditing ? 'Edit details' : 'Details'}>
            {isEditing ? <EditLeadForm lead={lead} onDone={() => setEditing(false)} /> : <LeadFacts lead={lead} />}
          </Panel>
          <Panel title="Comments"><Comments record={record} /></Panel>
        </div>
        <div className={classes.column}>
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} onChange={() => client.invalidateQueries({ queryKey: ['leads', 'timeline', lead.id] })} />
          <Panel title="Timeline"><Timeline record={record} /></Panel>
        </div>
      </div>
    </Page>
  )
}

function LeadActions({ lead, onEdit }: { readonly lead: LeadRecord; onEdit(): void }) {
  const { may } = useSession()
  const [dialog, setDialog] = useState<'convert' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_LEAD') && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may('UPDATE_LEAD') && <Button variant="default" onClick={onEdit}>Edit</Button>}
      {may('UPDATE_LEAD') && lead.convertedAt === null && <Button onClick={() => setDialog('convert')}>Convert</Button>}
      <ConvertLeadDialog lead={lead} opened={dialog === 'convert'} onClose={close} />
      <DeleteLeadDialog lead={lead} opened={dialog === 'delete'} onClose={close} />
    </>
  )
}
