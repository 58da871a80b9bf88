import { paymentMethods, type InvoiceRecord, type PaymentRecord } from '@crm/contract'
import { Button, NativeSelect, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeDay, today } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { paymentsQuery } from '../../domain/finance/finance-queries.ts'
import { amountInWords, methodNames } from '../../domain/finance/finance-words.ts'
import { RowNote } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { useIdempotencyKey, useVerb } from './use-verb.ts'
import { t } from './texts.ts'
import { DayInput } from '../../shell/day-input.tsx'

/** The payments of an invoice; a reversed payment stays in the list. */
export function PaymentsPanel({ invoice }: { readonly invoice: InvoiceRecord }) {
  const { may } = useSession()
  const [reversed, setReversed] = useState<PaymentRecord | null>(null)
  const payments = useQuery(paymentsQuery(invoice.id))
  const mayReverse = may('UPDATE_INVOICE') && ['ISSUED', 'PARTIALLY_PAID', 'PAID'].includes(invoice.status)
  return (
    <>
      <TablePanel
        title={t('Payments')}
        label={t('Payments')}
        reading={payments}
        empty={
          <Text size="sm" c="dimmed" px="1.25rem" pb="1.125rem">
            {t('No payments yet')}
          </Text>
        }
        isDead={({ reversedAt }) => reversedAt !== null}
        columns={[
          {
            label: t('Day'),
            cell: (payment) => (
              <>
                {describeDay(payment.paidAt, 'UTC')}
                {remarksOf(payment).map((text) => (
                  <RowNote key={text}>{text}</RowNote>
                ))}
              </>
            ),
          },
          { label: t('How'), isExtra: true, cell: ({ method }) => methodNames[method] },
          {
            label: t('Amount'),
            isNumber: true,
            cell: ({ amount, currency, reversedAt }) =>
              reversedAt === null ? amountInWords(amount, currency) : <del>{amountInWords(amount, currency)}</del>,
          },
        ]}
        actions={(payment) =>
          mayReverse &&
          payment.reversedAt === null && (
            <Button
              variant="subtle"
              color="red"
              size="xs"
              aria-label={t('Reverse the payment of {amount}', {
                amount: amountInWords(payment.amount, payment.currency),
              })}
              onClick={() => setReversed(payment)}
            >
              {t('Reverse')}
            </Button>
          )
        }
      />
      {reversed !== null && <ReverseDialog payment={reversed} onClose={() => setReversed(null)} />}
    </>
  )
}

function remarksOf({ reference, note, reversedAt, reversalReason }: PaymentRecord): string[] {
  const reversal =
    reversedAt === null
      ? null
      : [t('Reversed on {day}', { day: describeDay(reversedAt) }), reversalReason]
          .filter((part) => part !== null)
          .join(': ')
  return [reference, note, reversal].filter((text) => text !== null)
}

/** Records a payment of an invoice. */
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
    { said: t('Payment recorded'), onDone: onClose },
  )
  const errors = fieldErrors(record.error)
  const isTooMuch = isRefusedWith(record.error, 'PAYMENT_EXCEEDS_BALANCE')
  return (
    <FormDialog
      opened
      title={t('Record payment')}
      submit={t('Record', { context: 'a payment' })}
      isBusy={record.isPending}
      error={isTooMuch ? null : record.error}
      onSubmit={(form) => record.mutate(form)}
      onClose={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <DecimalInput
          label={t('Amount in {currency}', { currency })}
          name="amount"
          required
          withAsterisk={false}
          data-autofocus
          defaultValue={amountDue}
          error={
            isTooMuch
              ? t('Only {amountDue} is due', { amountDue: amountInWords(amountDue, currency) })
              : errors['amount']
          }
        />
        <DayInput label={t('Day')} name="paidAt" defaultValue={today()} error={errors['paidAt']} />
        <NativeSelect
          label={t('How')}
          name="method"
          error={errors['method']}
          data={['BANK_TRANSFER', ...paymentMethods.filter((method) => method !== 'BANK_TRANSFER')].map((value) => ({
            value,
            label: methodNames[value as (typeof paymentMethods)[number]],
          }))}
        />
        <TextInput
          label={t('Reference')}
          name="reference"
          maxLength={200}
          error={errors['reference']}
          autoComplete="off"
        />
      </SimpleGrid>
      <Textarea label={t('Note')} name="note" rows={2} error={errors['note']} />
    </FormDialog>
  )
}

function ReverseDialog({ payment, onClose }: { readonly payment: PaymentRecord; onClose(): void }) {
  const { id: paymentId, invoiceId: id, amount, currency } = payment
  const reverse = useVerb(
    (reason: string) => crm.invoices.reversePayment({ params: { id, paymentId }, body: { reason } }),
    { said: t('Payment reversed'), onDone: onClose },
  )
  const errors = fieldErrors(reverse.error)
  return (
    <FormDialog
      opened
      title={t('Reverse the payment of {amount}', { amount: amountInWords(amount, currency) })}
      submit={t('Reverse')}
      isBusy={reverse.isPending}
      error={reverse.error}
      onSubmit={(form) => reverse.mutate(textIn(form, 'reason'))}
      onClose={onClose}
    >
      <TextInput
        label={t('Reason')}
        name="reason"
        maxLength={500}
        error={errors['reason']}
        placeholder={t('For example: it bounced')}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  )
}
