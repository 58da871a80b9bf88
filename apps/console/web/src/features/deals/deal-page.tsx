import type { DealRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import { crm } from '../../base/api.ts'
import { describeDay, describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { ActivitiesPanel } from '../../domain/activities/activities-panel.tsx'
import { DocumentsPanel } from '../../domain/documents/documents-panel.tsx'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { LinkedDocuments } from '../../domain/finance/linked-documents.tsx'
import { fieldName } from '../../records/field-words.ts'
import { describeMoney } from '../../records/money.ts'
import { usePipelines } from '../../records/pipelines.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { StageBar } from '../../records/stage-bar.tsx'
import { describeValue } from '../../records/timeline-words.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { DealDialog } from './deal-dialog.tsx'
import { DealItemsPanel } from './deal-items.tsx'
import { DealStatusMark } from './deal-marks.tsx'
import { dealQuery, useDealMove } from './deal-queries.ts'

const route = getRouteApi('/console/deals/$id')

/** A deal: where it stands, what is known of it, and what happened to it. */
export function DealPage() {
  const { id } = route.useParams()
  const reading = useQuery(dealQuery(id))
  return (
    <WithRecord noun="deal" back={<BackToDeals />} reading={reading}>
      {(deal) => <KnownDeal key={id} deal={deal} />}
    </WithRecord>
  )
}

function BackToDeals() {
  return (
    <BackLink to="/deals" search={{}}>
      Deals
    </BackLink>
  )
}

function KnownDeal({ deal }: { readonly deal: DealRecord }) {
  const record = { entityType: 'DEAL', entityId: deal.id } as const
  return (
    <RecordPage
      record={record}
      title={deal.name}
      note={describeMoney(deal.amount, deal.currency)}
      back={<BackToDeals />}
      actions={<DealActions deal={deal} />}
      top={<DealStages deal={deal} />}
      main={
        <>
          <Panel title="Details">
            <DealFacts deal={deal} />
          </Panel>
          <DealItemsPanel deal={deal} />
        </>
      }
      aside={
        <>
          <LinkedDocuments of={{ dealId: deal.id }} />
          <ActivitiesPanel record={record} />
          <DocumentsPanel record={record} />
          <FilesPanel record={record} />
        </>
      }
    />
  )
}

function DealStages({ deal }: { readonly deal: DealRecord }) {
  const { may } = useSession()
  const pipeline = usePipelines('DEAL').find(({ id }) => id === deal.pipelineId)
  const move = useDealMove()
  if (pipeline === undefined) return null
  return (
    <>
      <StageBar
        pipeline={pipeline}
        stageId={deal.stageId}
        isFixed={!may('UPDATE_DEAL') || move.isPending}
        onMove={(stage) => move.mutate({ deal, stage })}
      />
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
    [
      'Contact',
      deal.contactId && (
        <Link key="contact" to="/contacts/$id" params={{ id: deal.contactId }}>
          {contact}
        </Link>
      ),
    ],
    [
      'Company',
      deal.companyId && (
        <Link key="company" to="/companies/$id" params={{ id: deal.companyId }}>
          {company}
        </Link>
      ),
    ],
    ...(deal.leadId === null
      ? []
      : [
          [
            'Lead',
            <Link key="lead" to="/leads/$id" params={{ id: deal.leadId }}>
              {lead}
            </Link>,
          ] as const,
        ]),
    ['Owner', (deal.ownerId !== null && people.get(deal.ownerId)) || null],
    ...(deal.tags.length > 0 ? [['Tags', deal.tags.join(', ')] as const] : []),
    ...Object.entries(deal.customFields).map(([key, value]) => [fieldName(key), describeValue(value, people)] as const),
    ['Description', deal.description],
  ]
  return <Facts facts={facts} />
}

function DealActions({ deal }: { readonly deal: DealRecord }) {
  const navigate = useNavigate()
  return (
    <RecordActions
      record={{ entityType: 'DEAL', entityId: deal.id }}
      title={deal.name}
      edit={(close) => <DealDialog deal={deal} opened onClose={close} />}
      remove={() => crm.deals.delete({ params: { id: deal.id } })}
      leave={() => navigate({ to: '/deals', search: {} })}
    />
  )
}
