import { paymentMethods, type InvoiceRecord, type PaymentRecord } from '@crm/contract'
import { Button, NativeSelect, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeDay } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { paymentsQuery } from '../../domain/finance/finance-queries.ts'
import { amountInWords, methodNames } from '../../domain/finance/finance-words.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import classes from './finance.module.css'
import { useIdempotencyKey, useVerb } from './use-verb.ts'

/** What was paid of an invoice; a reversed payment stays as a line of the history. */
export function PaymentsPanel({ invoice }: { readonly invoice: InvoiceRecord }) {
  const { may } = useSession()
  const [reversed, setReversed] = useState<PaymentRecord | null>(null)
  const { data, error, refetch } = useQuery(paymentsQuery(invoice.id))
  const mayReverse = may('UPDATE_INVOICE') && ['ISSUED', 'PARTIALLY_PAID', 'PAID'].includes(invoice.status)
  return (
    <Panel title="Payments" flush>
      {(data === undefined || data.length === 0) && (
        <div className={classes.within}>
          <RefusalAlert error={error} retry={() => void refetch()} />
          {data === undefined && error === null && <LoadingLines lines={2} label="Loading the payments" />}
          {data?.length === 0 && <Text size="sm" c="dimmed">Nothing was paid yet</Text>}
        </div>
      )}
      {data !== undefined && data.length > 0 && (
        <table className={`${tables.table} ${classes.table}`} aria-label="Payments">
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" data-extra>How</th>
              <th scope="col" data-number>Amount</th>
              <th scope="col"><span className={tables.spoken}>Actions</span></th>
            </tr>
          </thead>
          <tbody>
            {data.map((payment) => <PaymentRow key={payment.id} payment={payment} onReverse={mayReverse ? () => setReversed(payment) : undefined} />)}
          </tbody>
        </table>
      )}
      {reversed !== null && <ReverseDialog payment={reversed} onClose={() => setReversed(null)} />}
    </Panel>
  )
}

function PaymentRow({ payment, onReverse }: { readonly payment: PaymentRecord; readonly onReverse: (() => void) | undefined }) {
  const { paidAt, method, reference, note, amount, currency, reversedAt, reversalReason } = payment
  const isReversed = reversedAt !== null
  const remarks = [reference, note, isReversed ? `Reversed on ${describeDay(reversedAt)}${reversalReason === null ? '' : `: ${reversalReason}`}` : null].filter((text) => text !== null)
  return (
    <tr data-dead={isReversed}>
      <td>{describeDay(paidAt, 'UTC')}{remarks.map((text) => <div key={text} className={classes.lineNote}>{text}</div>)}</td>
      <td data-extra>{methodNames[method]}</td>
      <td data-number>{isReversed ? <del>{amountInWords(amount, currency)}</del> : amountInWords(amount, currency)}</td>
      <td>{!isReversed && onReverse && <div className={tables.actions}><Button variant="subtle" color="red" size="xs" aria-label={`Reverse the payment of ${amountInWords(amount, currency)}`} onClick={onReverse}>Reverse</Button></div>}</td>
    </tr>
  )
}

/** Records what was paid of an invoice. */
export function PaymentDialog({ invoice, onClose }: { readonly invoice: InvoiceRecord; onClose(): void }) {
  const { id, amountDue, currency } = invoice
  const keyFor = useIdempotencyKey()
  const record = useVerb(
    (form: FormData) => {
      const body = {
        amount: textIn(form, 'amount').trim(),
        paidAt: textIn(form, 'paidAt') || undefined,
        method: paymentMethods.find((known) => known === textIn(form, 'method')),
        reference: textIn(form, 'reference'),
        note: textIn(form, 'note'),
      }
      return crm.invoices.recordPayment({ params: { id }, body, idempotencyKey: keyFor(body) })
    },
    { said: 'The payment was recorded', onDone: onClose },
  )
  const errors = fieldErrors(record.error)
  const isTooMuch = isRefusedWith(record.error, 'PAYMENT_EXCEEDS_BALANCE')
  return (
    <FormDialog opened title="Record payment" submit="Record" isBusy={record.isPending} error={isTooMuch ? null : record.error} onSubmit={(form) => record.mutate(form)} onClose={onClose}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextInput label={`Amount in ${currency}`} name="amount" inputMode="decimal" required withAsterisk={false} data-autofocus defaultValue={amountDue} error={isTooMuch ? `Only ${amountInWords(amountDue, currency)} are due` : errors['amount']} autoComplete="off" />
        <TextInput label="Day" name="paidAt" type="date" defaultValue={today()} error={errors['paidAt']} />
        <NativeSelect label="How" name="method" error={errors['method']} data={['BANK_TRANSFER', ...paymentMethods.filter((method) => method !== 'BANK_TRANSFER')].map((value) => ({ value, label: methodNames[value as (typeof paymentMethods)[number]] }))} />
        <TextInput label="Reference" name="reference" maxLength={200} error={errors['reference']} autoComplete="off" />
      </SimpleGrid>
      <Textarea label="Note" name="note" rows={2} error={errors['note']} />
    </FormDialog>
  )
}

/** The day as this device has it. */
function today(): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' }).format(new Date())
}

function ReverseDialog({ payment, onClose }: { readonly payment: PaymentRecord; onClose(): void }) {
  const { id: paymentId, invoiceId: id, amount, currency } = payment
  const reverse = useVerb((reason: string) => crm.invoices.reversePayment({ params: { id, paymentId }, body: { reason } }), { said: 'The payment was reversed', onDone: onClose })
  const errors = fieldErrors(reverse.error)
  return (
    <FormDialog opened title={`Reverse the payment of ${amountInWords(amount, currency)}`} submit="Reverse" isBusy={reverse.isPending} error={reverse.error} onSubmit={(form) => reverse.mutate(textIn(form, 'reason'))} onClose={onClose}>
      <TextInput label="Reason" name="reason" maxLength={500} error={errors['reason']} placeholder="For example: it bounced" autoComplete="off" data-autofocus />
    </FormDialog>
  )
}
