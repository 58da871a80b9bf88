import type { DealRecord } from '@crm/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { emailsTab } from '../../domain/activities/emails-panel.tsx'
import { documentsTab } from '../../domain/documents/documents-panel.tsx'
import { filesTab } from '../../domain/files/files-panel.tsx'
import { NextStep, tasksTab } from '../../domain/tasks/record-tasks.tsx'
import { quotesTab } from '../../domain/finance/quotes-tab.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { needsNextStep } from '../../records/next-steps.ts'
import { KeyFacts } from '../../records/key-facts.tsx'
import { describeMoney } from '../../records/money.ts'
import { RecordActions } from '../../records/record-actions.tsx'
import { BackLink, RecordPage, WithRecord } from '../../records/record-page.tsx'
import { Related } from '../../records/related.tsx'
import { RecordStages } from '../../records/stage-bar.tsx'
import { DealItemsPanel } from './deal-items.tsx'
import { dealQuery } from './deal-queries.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/deals/$id')

/** A deal: its stage, its facts, and its history. */
export function DealPage() {
  const { id } = route.useParams()
  const reading = useQuery(dealQuery(id))
  return (
    <WithRecord noun={t('deals.deal')} back={<BackToDeals />} reading={reading}>
      {(deal) => <KnownDeal key={id} deal={deal} />}
    </WithRecord>
  )
}

function BackToDeals() {
  return (
    <BackLink to="/deals" search={addressOfList('DEAL')}>
      {t('common.deals')}
    </BackLink>
  )
}

function KnownDeal({ deal }: { readonly deal: DealRecord }) {
  const navigate = useNavigate()
  const record = { entityType: 'DEAL', entityId: deal.id } as const
  return (
    <RecordPage
      record={record}
      title={deal.name}
      note={describeMoney(deal.amount, deal.currency)}
      back={<BackToDeals />}
      actions={
        <RecordActions record={record} leave={() => navigate({ to: '/deals', search: addressOfList('DEAL') })} />
      }
      top={<RecordStages entityType="DEAL" record={deal} />}
      facts={<KeyFacts entityType="DEAL" record={deal} />}
      tabs={[
        tasksTab(record),
        emailsTab(record, deal),
        filesTab(record),
        documentsTab(record),
        { key: 'items', label: t('deals.items'), content: <DealItemsPanel deal={deal} /> },
        quotesTab({ dealId: deal.id }),
      ]}
      next={<NextStep record={record} needsNext={needsNextStep('DEAL', deal)} />}
      aside={<Related place={record} record={deal} />}
    />
  )
}
