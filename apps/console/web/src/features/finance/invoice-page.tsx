import type { InvoiceRecord } from '@crm/contract'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { PdfPreview } from '../../domain/files/pdf-preview.tsx'
import { invoiceQuery } from '../../domain/finance/finance-queries.ts'
import { amountInWords, documentTitle } from '../../domain/finance/finance-words.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { BeforeSending } from './before-sending.tsx'
import { DocumentPage, DocumentView, type Verb } from './document-page.tsx'
import { PaymentLinkPanel } from './payment-link-panel.tsx'
import { PaymentDialog, PaymentsPanel } from './payments-panel.tsx'
import { SendDialog, type DocumentMail } from './send-dialog.tsx'
import { useIdempotencyKey, useVerb } from './use-verb.ts'
import { addressOf } from '../../records/record-place.ts'
import { t } from './texts.ts'

const openStatuses: readonly InvoiceRecord['status'][] = ['ISSUED', 'PARTIALLY_PAID']

/** An invoice: its total, its payments, and its public page. */
export function Page({ id }: { readonly id: string }) {
  const reading = useQuery(invoiceQuery(id))
  return (
    <DocumentPage kind="INVOICE" reading={reading}>
      {(invoice) => <KnownInvoice key={id} invoice={invoice} />}
    </DocumentPage>
  )
}

type Dialog = 'issue' | 'send' | 'pay' | 'void' | 'give-up' | 'preview'

function KnownInvoice({ invoice }: { readonly invoice: InvoiceRecord }) {
  const { id, status } = invoice
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const params = { id }
  const keyFor = useIdempotencyKey()
  const send = useVerb(
    (mail: DocumentMail) => crm.invoices.send({ params, body: mail, idempotencyKey: keyFor(mail) }),
    { said: t('Invoice sent'), onDone: close },
  )
  const duplicate = useVerb(() => crm.invoices.duplicate({ params }), {
    said: t('New draft created'),
    onDone: ({ data }) => navigate(addressOf({ entityType: 'INVOICE', entityId: data.id })),
  })
  const mayUpdate = may('UPDATE_INVOICE')
  const isOpen = openStatuses.includes(status)
  const isOut = isOpen || status === 'PAID'
  const verbs: (Verb & { readonly isPossible: boolean })[] = [
    {
      label: t('Issue'),
      isNext: true,
      isPossible: mayUpdate && status === 'DRAFT',
      run: () => setDialog('issue'),
    },
    { label: t('Record payment'), isNext: true, isPossible: mayUpdate && isOpen, run: () => setDialog('pay') },
    {
      label: status === 'DRAFT' ? t('Issue and send') : t('Send'),
      isPossible: mayUpdate && (isOut || status === 'DRAFT'),
      run: () => setDialog('send'),
    },
    { label: t('Preview the PDF'), isPossible: true, run: () => setDialog('preview') },
    { label: t('Duplicate'), isPossible: may('CREATE_INVOICE'), run: () => duplicate.mutate(undefined) },
    {
      label: t('Discard', { context: 'an invoice' }),
      isDestructive: true,
      isPossible: mayUpdate && isOpen,
      run: () => setDialog('give-up'),
    },
    {
      label: t('Void'),
      isDestructive: true,
      isPossible:
        mayUpdate && (status === 'ISSUED' || (status === 'UNCOLLECTIBLE' && Number(invoice.amountPaid) === 0)),
      run: () => setDialog('void'),
    },
  ]
  const title = documentTitle('INVOICE', invoice)
  return (
    <>
      <DocumentView
        kind="INVOICE"
        record={invoice}
        verbs={verbs.filter(({ isPossible }) => isPossible)}
        error={duplicate.error}
        facts={factsOf(invoice)}
        sums={
          status === 'DRAFT'
            ? []
            : [
                [t('Paid'), invoice.amountPaid],
                [t('Due'), invoice.amountDue],
              ]
        }
        below={status !== 'DRAFT' && <PaymentsPanel invoice={invoice} />}
        beside={
          (isOut || status === 'UNCOLLECTIBLE') && <PaymentLinkPanel invoice={invoice} mayOpen={mayUpdate && isOut} />
        }
      />
      {dialog === 'pay' && <PaymentDialog invoice={invoice} onClose={close} />}
      {dialog === 'send' && (
        <SendDialog
          kind="INVOICE"
          record={invoice}
          title={status === 'DRAFT' ? t('Issue and send the invoice') : t('Send the invoice')}
          isBusy={send.isPending}
          error={send.error}
          onSend={(mail) => send.mutate(mail)}
          onClose={close}
        />
      )}
      {dialog === 'issue' && <IssueDialog invoice={invoice} onClose={close} />}
      {dialog === 'preview' && <PdfPreview address={`/api/invoices/${id}/pdf`} title={title} onClose={close} />}
      {dialog === 'void' && <VoidDialog id={id} title={title} onClose={close} />}
      {dialog === 'give-up' && <GiveUpDialog id={id} title={title} onClose={close} />}
    </>
  )
}

interface IssueDialogProps {
  readonly invoice: InvoiceRecord
  onClose(): void
}

/** Asks before a draft gets its number, and says what is missing on it. */
function IssueDialog({ invoice, onClose }: IssueDialogProps) {
  const issue = useVerb(() => crm.invoices.issue({ params: { id: invoice.id } }), {
    said: t('Invoice issued'),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened
      title={t('Issue this invoice?')}
      confirm={t('Issue')}
      isBusy={issue.isPending}
      error={issue.error}
      onConfirm={() => issue.mutate(undefined)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <span>
          {t('It gets its number and can no longer be edited. Total: {total}.', {
            total: amountInWords(invoice.total, invoice.currency),
          })}
        </span>
        <BeforeSending kind="INVOICE" record={invoice} />
      </Stack>
    </ConfirmDialog>
  )
}

interface EndDialogProps {
  readonly id: string
  /** The title of the invoice. */
  readonly title: string
  onClose(): void
}

function VoidDialog({ id, title, onClose }: EndDialogProps) {
  const withdraw = useVerb(() => crm.invoices.void({ params: { id } }), {
    said: t('Invoice voided'),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened
      title={t('Void this invoice?')}
      confirm={t('Void')}
      isDestructive
      isBusy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate(undefined)}
      onClose={onClose}
    >
      {t('{title} is no longer due, and its payment link stops working. Its number stays used.', { title })}
    </ConfirmDialog>
  )
}

function GiveUpDialog({ id, title, onClose }: EndDialogProps) {
  const giveUp = useVerb(() => crm.invoices.uncollectible({ params: { id } }), {
    said: t('Invoice discarded'),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened
      title={t('Discard this invoice?')}
      confirm={t('Discard', { context: 'an invoice' })}
      isDestructive
      isBusy={giveUp.isPending}
      error={giveUp.error}
      onConfirm={() => giveUp.mutate(undefined)}
      onClose={onClose}
    >
      {t('{title} is marked as uncollectible: it takes no more payments and is not overdue.', { title })}
    </ConfirmDialog>
  )
}

function factsOf({ issuedAt, sentAt, paidAt, voidedAt, quoteId, orderId }: InvoiceRecord) {
  return [
    ...(issuedAt === null ? [] : [[t('Issued'), describeInstant(issuedAt)] as const]),
    ...(sentAt === null ? [] : [[t('Sent'), describeInstant(sentAt)] as const]),
    ...(paidAt === null ? [] : [[t('Paid'), describeInstant(paidAt)] as const]),
    ...(voidedAt === null ? [] : [[t('Void since'), describeInstant(voidedAt)] as const]),
    ...(quoteId === null
      ? []
      : [
          [
            t('Created from'),
            <Link key="quote" {...addressOf({ entityType: 'QUOTE', entityId: quoteId })}>
              {t('A quote')}
            </Link>,
          ] as const,
        ]),
    ...(orderId === null
      ? []
      : [
          [
            t('Created from'),
            <Link key="order" {...addressOf({ entityType: 'ORDER', entityId: orderId })}>
              {t('An order')}
            </Link>,
          ] as const,
        ]),
  ]
}
