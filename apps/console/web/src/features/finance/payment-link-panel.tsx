import type { InvoiceRecord } from '@crm/contract'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm, settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeInstant, instantOf } from '../../base/moments.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { paymentLinkQuery } from '../../domain/finance/finance-queries.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Panel } from '../../shell/page.tsx'
import classes from './finance.module.css'
import { useVerb } from './use-verb.ts'
import { t } from './texts.ts'
import { DayInput } from '../../shell/day-input.tsx'

interface PaymentLinkPanelProps {
  readonly invoice: InvoiceRecord
  /** Whether the person may create a payment link of an invoice in this state. */
  readonly mayOpen: boolean
}

/** The payment link of an invoice: create it, copy it, turn it off. */
export function PaymentLinkPanel({ invoice: { id }, mayOpen }: PaymentLinkPanelProps) {
  const { may } = useSession()
  const { data: link } = useQuery(paymentLinkQuery(id))
  const [dialog, setDialog] = useState<'open' | 'close' | null>(null)
  // Without a secret of the installation the address is shown only now.
  const [told, setTold] = useState<string | null>(null)
  if (link === undefined || (link === null && !mayOpen)) return null
  const url = link && (link.url ?? told)
  return (
    <Panel title={t('Payment link')} note={t('Anyone with this link can see the invoice and how to pay.')}>
      <Stack gap="sm">
        {link === null && (
          <Text size="sm" c="dimmed">
            {t('No payment link yet')}
          </Text>
        )}
        {url && (
          <Anchor href={url} target="_blank" rel="noreferrer" className={classes.address}>
            {url}
          </Anchor>
        )}
        {link && (
          <Text size="sm" c="dimmed">
            {link.expiresAt
              ? t('Active until {expiresAt}.', { expiresAt: describeInstant(link.expiresAt) })
              : t('Active, no end date.')}{' '}
            {!url && t('The link was shown only once.')}
          </Text>
        )}
        <Group gap="sm">
          {url && <CopyButton text={url} label={t('Copy link')} size="xs" />}
          {mayOpen && (
            <Button variant="default" size="xs" onClick={() => setDialog('open')}>
              {link ? t('Replace link') : t('Create payment link')}
            </Button>
          )}
          {link && may('UPDATE_INVOICE') && (
            <Button variant="subtle" color="red" size="xs" onClick={() => setDialog('close')}>
              {t('Turn off')}
            </Button>
          )}
        </Group>
      </Stack>
      {dialog === 'open' && (
        <OpenDialog invoiceId={id} isOpen={link !== null} onOpened={setTold} onClose={() => setDialog(null)} />
      )}
      {dialog === 'close' && (
        <CloseDialog invoiceId={id} onClosed={() => setTold(null)} onClose={() => setDialog(null)} />
      )}
    </Panel>
  )
}

interface OpenDialogProps {
  readonly invoiceId: string
  readonly isOpen: boolean
  onOpened(url: string): void
  onClose(): void
}

function OpenDialog({ invoiceId, isOpen, onOpened, onClose }: OpenDialogProps) {
  const open = useVerb(
    (lastDay: string) =>
      crm.invoices.paymentLink({
        params: { id: invoiceId },
        body: { expiresAt: lastDay === '' ? null : instantOf(`${lastDay}T23:59:59`) },
      }),
    {
      said: t('Payment link created'),
      onDone: ({ data }) => {
        onOpened(data.url)
        onClose()
      },
    },
  )
  const errors = fieldErrors(open.error)
  const words = isOpen ? t('Replace link') : t('Create payment link')
  return (
    <FormDialog
      opened
      title={words}
      submit={words}
      isBusy={open.isPending}
      error={open.error}
      onSubmit={(form) => open.mutate(textIn(form, 'lastDay'))}
      onClose={onClose}
    >
      <DayInput
        label={t('Until')}
        name="lastDay"
        error={errors['expiresAt']}
        description={isOpen ? t('Empty = no end date. The current link stops working.') : t('Empty = no end date')}
      />
    </FormDialog>
  )
}

function CloseDialog({
  invoiceId,
  onClosed,
  onClose,
}: {
  readonly invoiceId: string
  onClosed(): void
  onClose(): void
}) {
  const shut = useVerb(() => settings.paymentLinks.close({ params: { id: invoiceId } }), {
    said: t('Payment link turned off'),
    onDone: () => {
      onClosed()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('Turn off this payment link?')}
      confirm={t('Turn off')}
      isDestructive
      isBusy={shut.isPending}
      error={shut.error}
      onConfirm={() => shut.mutate(undefined)}
      onClose={onClose}
    >
      {t('People with the link no longer see the invoice.')}
    </ConfirmDialog>
  )
}
