import type { DealRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
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
import { describeMoney } from '../../records/money.ts'
import { usePipelines } from '../../records/pipelines.ts'
import classes from '../../records/record-page.module.css'
import { StageBar } from '../../records/stage-bar.tsx'
import { describeValue } from '../../records/timeline-words.ts'
import { Timeline } from '../../records/timeline.tsx'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { DealDialog } from './deal-dialog.tsx'
import { DealItemsPanel } from './deal-items.tsx'
import { DealStatusMark } from './deal-marks.tsx'
import { dealQuery, useDealMove } from './deal-queries.ts'

const route = getRouteApi('/console/deals/$id')

/** A deal: where it stands, what is known of it, and what happened to it. */
export function DealPage() {
  const { id } = route.useParams()
  const { data: deal, error, refetch } = useQuery(dealQuery(id))
  if (deal !== undefined) return <KnownDeal key={id} deal={deal} />
  return (
    <Page title={error === null ? 'Deal' : 'This deal cannot be shown'} above={<BackToDeals />}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && <Panel><LoadingLines lines={8} label="Loading the deal" /></Panel>}
    </Page>
  )
}

function BackToDeals() {
  return <Link to="/deals" search={{}} className={classes.back}><Icon name="left" size={16} />Deals</Link>
}

function KnownDeal({ deal }: { readonly deal: DealRecord }) {
  const client = useQueryClient()
  const record = { entityType: 'DEAL', entityId: deal.id } as const
  return (
    <Page title={deal.name} note={describeMoney(deal.amount, deal.currency)} above={<BackToDeals />} actions={<DealActions deal={deal} />}>
      <DealStages deal={deal} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title="Details"><DealFacts deal={deal} /></Panel>
          <DealItemsPanel deal={deal} />
          <Panel title="Comments"><Comments record={record} /></Panel>
        </div>
        <div className={classes.column}>
          <LinkedDocuments of={{ dealId: deal.id }} />
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} onChange={() => client.invalidateQueries({ queryKey: ['deals', 'timeline', deal.id] })} />
          <Panel title="Timeline"><Timeline record={record} /></Panel>
        </div>
      </div>
    </Page>
  )
}

function DealStages({ deal }: { readonly deal: DealRecord }) {
  const { may } = useSession()
  const pipeline = usePipelines('DEAL').find(({ id }) => id === deal.pipelineId)
  const move = useDealMove()
  if (pipeline === undefined) return null
  return (
    <>
      <StageBar pipeline={pipeline} stageId={deal.stageId} isFixed={!may('UPDATE_DEAL') || move.isPending} onMove={(stage) => move.mutate({ deal, stage })} />
      <RefusalAlert error={move.error} />
    </>
  )
}

function DealFacts({ deal }: { readonly deal: DealRecord }) {
  const people = usePeopleNames([deal.ownerId])
  const contact = useRecordName('CONTACT', deal.contactId)
  const company = useRecordName('COMPANY', deal.companyId)
  const lead = useRecordName('LEAD', deal.leadId)
  const facts: (readonly [string, ReactNode])[] = [
    ['Status', <DealStatusMark key="status" status={deal.status} />],
    ['Amount', describeMoney(deal.amount, deal.currency)],
    ['Probability', deal.probability === null ? null : `${deal.probability} %`],
    ['Expected close', deal.expectedCloseDate && describeDay(deal.expectedCloseDate, 'UTC')],
    ...(deal.closedAt === null ? [] : [['Closed', describeInstant(deal.closedAt)] as const]),
    ...(deal.lostReason === null ? [] : [[fieldName('lostReason'), deal.lostReason] as const]),
    ['Contact', deal.contactId && <Link key="contact" to="/contacts/$id" params={{ id: deal.contactId }}>{contact}</Link>],
    ['Company', deal.companyId && <Link key="company" to="/companies/$id" params={{ id: deal.companyId }}>{company}</Link>],
    ...(deal.leadId === null ? [] : [['Lead', <Link key="lead" to="/leads/$id" params={{ id: deal.leadId }}>{lead}</Link>] as const]),
    ['Owner', (deal.ownerId !== null && people.get(deal.ownerId)) || null],
    ...(deal.tags.length > 0 ? [['Tags', deal.tags.join(', ')] as const] : []),
    ...Object.entries(deal.customFields).map(([key, value]) => [fieldName(key), describeValue(value, people)] as const),
    ['Description', deal.description],
  ]
  return <Facts facts={facts} />
}

function DealActions({ deal }: { readonly deal: DealRecord }) {
  const { may } = useSession()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const navigate = useNavigate()
  const close = () => setDialog(null)
  return (
    <>
      {may('DELETE_DEAL') && <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>Delete</Button>}
      {may('UPDATE_DEAL') && <Button variant="default" onClick={() => setDialog('edit')}>Edit</Button>}
      <DealDialog deal={deal} opened={dialog === 'edit'} onClose={close} />
      <DeleteRecordDialog
        record={{ entityType: 'DEAL', entityId: deal.id }}
        title={deal.name}
        opened={dialog === 'delete'}
        remove={() => crm.deals.delete({ params: { id: deal.id } })}
        leave={() => navigate({ to: '/deals', search: {} })}
        onClose={close}
      />
    </>
  )
}
