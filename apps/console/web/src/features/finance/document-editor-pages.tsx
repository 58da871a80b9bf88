import { invoice, order, quote } from '@crm/model'
import type { DealRecord } from '@crm/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { invoiceQuery, orderQuery, quoteQuery } from '../../domain/finance/finance-queries.ts'
import { kindWords, type FinanceKind, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { Page } from '../../shell/page.tsx'
import { EmptyState, LoadingLines } from '../../shell/states.tsx'
import { draftOf, draftOfDeal, newDraft } from './document-draft.ts'
import { DocumentEditor } from './document-editor.tsx'
import { BackToList, DocumentPage } from './document-page.tsx'
import { t } from './texts.ts'
import { named } from '../../base/texts.ts'
import { addressOf, listOf } from '../../records/record-place.ts'

/** The parties of a new document, from its address. */
export interface BeginSearch {
  readonly companyId?: string
  readonly contactId?: string
  readonly dealId?: string
}

const routes = {
  [quote.entity]: { begin: getRouteApi('/console/quotes/new'), edit: getRouteApi('/console/quotes/$id/edit') },
  [order.entity]: { begin: getRouteApi('/console/orders/new'), edit: getRouteApi('/console/orders/$id/edit') },
  [invoice.entity]: { begin: getRouteApi('/console/invoices/new'), edit: getRouteApi('/console/invoices/$id/edit') },
} as const

/** Writes a new quote. */
export function NewQuotePage() {
  return <NewDocument kind="QUOTE" begin={routes.QUOTE.begin.useSearch()} />
}

/** Writes a new order. */
export function NewOrderPage() {
  return <NewDocument kind="ORDER" begin={routes.ORDER.begin.useSearch()} />
}

/** Writes a new invoice. */
export function NewInvoicePage() {
  return <NewDocument kind="INVOICE" begin={routes.INVOICE.begin.useSearch()} />
}

function NewDocument({ kind, begin }: { readonly kind: FinanceKind; readonly begin: BeginSearch }) {
  const { may } = useSession()
  const { dealId } = begin
  const deal = useQuery({ ...dealQuery(dealId ?? ''), enabled: dealId !== undefined && may('VIEW_DEAL') })
  return (
    <Page title={t('New {noun}', named(kindWords[kind].one))} above={<BackToList kind={kind} />}>
      {!may(`CREATE_${kind}`) ? (
        <MayNot kind={kind} />
      ) : deal.isLoading ? (
        <LoadingLines lines={6} />
      ) : (
        <NewDraft kind={kind} begin={begin} deal={deal.data} />
      )}
    </Page>
  )
}

interface NewDraftProps {
  readonly kind: FinanceKind
  readonly begin: BeginSearch
  readonly deal: DealRecord | undefined
}

/** A new document begins with what its deal knows. */
function NewDraft({ kind, begin, deal }: NewDraftProps) {
  const { person } = useSession()
  const navigate = useNavigate()
  const [draft] = useState(() =>
    newDraft({ currency: person.workspace.currency, ...(deal ? draftOfDeal(deal) : {}), ...begin }),
  )
  return (
    <DocumentEditor
      kind={kind}
      begin={draft}
      onSaved={({ id }) => navigate({ ...addressOf({ entityType: kind, entityId: id }), replace: true })}
      onCancel={() => navigate({ to: listOf(kind), search: {} })}
    />
  )
}

const dealQuery = (id: string) =>
  queryOptions({
    queryKey: ['deals', 'one', id],
    queryFn: async ({ signal }) => (await crm.deals.get({ params: { id }, signal })).data,
  })

/** Changes a draft of a quote. */
export function EditQuotePage() {
  const { id } = routes.QUOTE.edit.useParams()
  return (
    <DocumentPage kind="QUOTE" reading={useQuery(quoteQuery(id))}>
      {(quote) => <KnownDraft key={id} kind="QUOTE" record={quote} />}
    </DocumentPage>
  )
}

/** Changes a draft of an order. */
export function EditOrderPage() {
  const { id } = routes.ORDER.edit.useParams()
  return (
    <DocumentPage kind="ORDER" reading={useQuery(orderQuery(id))}>
      {(order) => <KnownDraft key={id} kind="ORDER" record={order} />}
    </DocumentPage>
  )
}

/** Changes a draft of an invoice. */
export function EditInvoicePage() {
  const { id } = routes.INVOICE.edit.useParams()
  return (
    <DocumentPage kind="INVOICE" reading={useQuery(invoiceQuery(id))}>
      {(invoice) => <KnownDraft key={id} kind="INVOICE" record={invoice} />}
    </DocumentPage>
  )
}

function KnownDraft({ kind, record }: { readonly kind: FinanceKind; readonly record: FinanceRecord }) {
  const { person, may } = useSession()
  const navigate = useNavigate()
  // A later reading must not undo typed changes; the version tells the API when the document changed.
  const [shown] = useState(record)
  const [draft] = useState(() => draftOf(shown, person.workspace.timezone))
  const back = () => navigate(addressOf({ entityType: kind, entityId: shown.id }))
  const isDraft = shown.status === 'DRAFT'
  return (
    <Page
      title={isDraft ? t('Edit draft') : t('Edit {number}', { number: shown.number ?? '' })}
      above={<BackToList kind={kind} />}
    >
      {!may(`UPDATE_${kind}`) && <MayNot kind={kind} />}
      {may(`UPDATE_${kind}`) && isDraft && (
        <DocumentEditor kind={kind} record={shown} begin={draft} onSaved={back} onCancel={back} />
      )}
      {may(`UPDATE_${kind}`) && !isDraft && (
        <EmptyState title={t('Already issued')}>{t('Issued invoices cannot be edited.')}</EmptyState>
      )}
    </Page>
  )
}

function MayNot({ kind }: { readonly kind: FinanceKind }) {
  return (
    <EmptyState title={t('You cannot edit {many}', { many: kindWords[kind].many })}>
      {t('Ask an administrator for access.')}
    </EmptyState>
  )
}
