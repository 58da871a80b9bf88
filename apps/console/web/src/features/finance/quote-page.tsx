import type { QuoteRecord } from '@crm/contract'
import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeInstant } from '../../base/moments.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { PdfPreview } from '../../domain/files/pdf-preview.tsx'
import { quoteQuery } from '../../domain/finance/finance-queries.ts'
import { documentTitle } from '../../domain/finance/finance-words.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { DocumentPage, DocumentView, type Verb } from './document-page.tsx'
import { SendDialog, type DocumentMail } from './send-dialog.tsx'
import { useVerb } from './use-verb.ts'

const route = getRouteApi('/console/quotes/$id')

/** A quote: its lines, its decision, and the document that was made from it. */
export function QuotePage() {
  const { id } = route.useParams()
  const reading = useQuery(quoteQuery(id))
  return (
    <DocumentPage kind="QUOTE" reading={reading}>
      {(quote) => <KnownQuote key={id} quote={quote} />}
    </DocumentPage>
  )
}

function KnownQuote({ quote }: { readonly quote: QuoteRecord }) {
  const { id, status } = quote
  const { may } = useSession()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'send' | 'decline' | 'preview' | null>(null)
  const close = () => setDialog(null)
  const params = { id }
  const send = useVerb((mail: DocumentMail) => crm.quotes.send({ params, body: mail }), {
    said: 'The quote was sent',
    onDone: close,
  })
  const accept = useVerb(() => crm.quotes.accept({ params }), { said: 'The quote was accepted' })
  const decline = useVerb((reason: string) => crm.quotes.decline({ params, body: reason === '' ? {} : { reason } }), {
    said: 'The quote was declined',
    onDone: close,
  })
  const convert = useVerb((target: 'ORDER' | 'INVOICE') => crm.quotes.convert({ params, body: { target } }), {
    onDone: ({ data }) =>
      navigate({ to: data.target === 'ORDER' ? '/orders/$id' : '/invoices/$id', params: { id: data.id } }),
  })
  const mayUpdate = may('UPDATE_QUOTE')
  const verbs: (Verb & { readonly isPossible: boolean })[] = [
    { label: 'Send', isNext: true, isPossible: mayUpdate && status === 'DRAFT', run: () => setDialog('send') },
    {
      label: 'Accept',
      isNext: true,
      isPossible: mayUpdate && status === 'SENT',
      isBusy: accept.isPending,
      run: () => accept.mutate(undefined),
    },
    {
      label: 'Make an order',
      isPossible: mayUpdate && status === 'ACCEPTED' && may('CREATE_ORDER'),
      run: () => convert.mutate('ORDER'),
    },
    {
      label: 'Make an invoice',
      isNext: true,
      isPossible: mayUpdate && status === 'ACCEPTED' && may('CREATE_INVOICE'),
      isBusy: convert.isPending,
      run: () => convert.mutate('INVOICE'),
    },
    { label: 'Preview the PDF', isPossible: true, run: () => setDialog('preview') },
    { label: 'Send again', isPossible: mayUpdate && status === 'SENT', run: () => setDialog('send') },
    { label: 'Decline', isPossible: mayUpdate && status === 'SENT', run: () => setDialog('decline') },
  ]
  const errors = fieldErrors(decline.error)
  return (
    <>
      <DocumentView
        kind="QUOTE"
        record={quote}
        verbs={verbs.filter(({ isPossible }) => isPossible)}
        error={accept.error ?? convert.error}
        facts={factsOf(quote)}
      />
      {dialog === 'send' && (
        <SendDialog
          record={quote}
          title="Send the quote"
          mayBeNobody
          isBusy={send.isPending}
          error={send.error}
          onSend={(mail) => send.mutate(mail)}
          onClose={close}
        />
      )}
      {dialog === 'decline' && (
        <FormDialog
          opened
          title="Decline the quote"
          submit="Decline"
          isBusy={decline.isPending}
          error={decline.error}
          onSubmit={(form) => decline.mutate(textIn(form, 'reason').trim())}
          onClose={close}
        >
          <Textarea label="Reason" name="reason" rows={3} maxLength={500} error={errors['reason']} data-autofocus />
        </FormDialog>
      )}
      {dialog === 'preview' && (
        <PdfPreview address={`/api/quotes/${id}/pdf`} title={documentTitle('QUOTE', quote)} onClose={close} />
      )}
    </>
  )
}

function factsOf({ sentAt, decidedAt, convertedType, convertedId }: QuoteRecord) {
  return [
    ...(sentAt === null ? [] : [['Sent', describeInstant(sentAt)] as const]),
    ...(decidedAt === null ? [] : [['Decided', describeInstant(decidedAt)] as const]),
    ...(convertedId === null
      ? []
      : [
          [
            'Became',
            <Link
              key="converted"
              to={convertedType === 'ORDER' ? '/orders/$id' : '/invoices/$id'}
              params={{ id: convertedId }}
            >
              {convertedType === 'ORDER' ? 'An order' : 'An invoice'}
            </Link>,
          ] as const,
        ]),
  ]
}
