import type { QuoteRecord } from '@crm/contract'
import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeInstant } from '../../base/moments.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { PdfPreview } from '../../domain/files/pdf-preview.tsx'
import { quoteQuery } from '../../domain/finance/finance-queries.ts'
import { documentTitle } from '../../domain/finance/finance-words.ts'
import { addressOf } from '../../records/record-place.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { DocumentPage, DocumentView, type Verb } from './document-page.tsx'
import { SendDialog, type DocumentMail } from './send-dialog.tsx'
import { useVerb } from './use-verb.ts'
import { t } from './texts.ts'

/** A quote: its lines, its decision, and the document that was made from it. */
export function Page({ id }: { readonly id: string }) {
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
    said: t('Quote sent'),
    onDone: close,
  })
  const accept = useVerb(() => crm.quotes.accept({ params }), { said: t('Quote accepted') })
  const decline = useVerb((reason: string) => crm.quotes.decline({ params, body: reason === '' ? {} : { reason } }), {
    said: t('Quote declined'),
    onDone: close,
  })
  const convert = useVerb((target: 'ORDER' | 'INVOICE') => crm.quotes.convert({ params, body: { target } }), {
    onDone: ({ data }) => navigate(addressOf({ entityType: data.target, entityId: data.id })),
  })
  const mayUpdate = may('UPDATE_QUOTE')
  const verbs: (Verb & { readonly isPossible: boolean })[] = [
    {
      label: t('Send'),
      isNext: true,
      isPossible: mayUpdate && status === 'DRAFT',
      run: () => setDialog('send'),
    },
    {
      label: t('Accept'),
      isNext: true,
      isPossible: mayUpdate && status === 'SENT',
      isBusy: accept.isPending,
      run: () => accept.mutate(undefined),
    },
    {
      label: t('Create order'),
      isPossible: mayUpdate && status === 'ACCEPTED' && may('CREATE_ORDER'),
      run: () => convert.mutate('ORDER'),
    },
    {
      label: t('Create invoice'),
      isNext: true,
      isPossible: mayUpdate && status === 'ACCEPTED' && may('CREATE_INVOICE'),
      isBusy: convert.isPending,
      run: () => convert.mutate('INVOICE'),
    },
    { label: t('Preview the PDF'), isPossible: true, run: () => setDialog('preview') },
    { label: t('Send again'), isPossible: mayUpdate && status === 'SENT', run: () => setDialog('send') },
    { label: t('Decline'), isPossible: mayUpdate && status === 'SENT', run: () => setDialog('decline') },
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
          kind="QUOTE"
          record={quote}
          title={t('Send the quote')}
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
          title={t('Decline the quote')}
          submit={t('Decline')}
          isBusy={decline.isPending}
          error={decline.error}
          onSubmit={(form) => decline.mutate(textIn(form, 'reason').trim())}
          onClose={close}
        >
          <Textarea
            label={t('Reason')}
            name="reason"
            rows={3}
            maxLength={500}
            error={errors['reason']}
            data-autofocus
          />
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
    ...(sentAt === null ? [] : [[t('Sent'), describeInstant(sentAt)] as const]),
    ...(decidedAt === null ? [] : [[t('Decision date'), describeInstant(decidedAt)] as const]),
    ...(convertedId === null
      ? []
      : [
          [
            t('Converted to'),
            <Link key="converted" {...addressOf({ entityType: convertedType ?? 'INVOICE', entityId: convertedId })}>
              {convertedType === 'ORDER' ? t('An order') : t('An invoice')}
            </Link>,
          ] as const,
        ]),
  ]
}
