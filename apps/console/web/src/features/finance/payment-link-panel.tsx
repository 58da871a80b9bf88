import type { InvoiceRecord } from '@crm/contract'
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
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
import { t } from '../../base/texts.ts'

interface PaymentLinkPanelProps {
  readonly invoice: InvoiceRecord
  /** Whether the person may open the public page of an invoice in this state. */
  readonly mayOpen: boolean
}

/** The public page of an invoice: open it, copy its address, close it. */
export function PaymentLinkPanel({ invoice: { id }, mayOpen }: PaymentLinkPanelProps) {
  const { may } = useSession()
  const { data: link } = useQuery(paymentLinkQuery(id))
  const [dialog, setDialog] = useState<'open' | 'close' | null>(null)
  // Without a secret of the installation the address is shown only now.
  const [told, setTold] = useState<string | null>(null)
  if (link === undefined || (link === null && !mayOpen)) return null
  const url = link && (link.url ?? told)
  return (
    <Panel title={t('finance.publicPage')} note={t('finance.anyoneWithThisLinkCan')}>
      <Stack gap="sm">
        {link === null && (
          <Text size="sm" c="dimmed">
            {t('finance.notOpen')}
          </Text>
        )}
        {url && (
          <Anchor href={url} target="_blank" rel="noreferrer" className={classes.address}>
            {url}
          </Anchor>
        )}
        {link && (
          <Text
            size="sm"
            c="dimmed"
          >{`${url ? t('common.open') : t('finance.openAtAnAddressThat')} ${link.expiresAt ? t('finance.untilExpiresat', { expiresAt: describeInstant(link.expiresAt) }) : t('finance.untilItIsClosed')}`}</Text>
        )}
        <Group gap="sm">
          {url && <CopyButton text={url} label={t('finance.copyAddress')} size="xs" />}
          {mayOpen && (
            <Button variant="default" size="xs" onClick={() => setDialog('open')}>
              {link ? t('finance.newAddress') : t('finance.openAPage')}
            </Button>
          )}
          {link && may('UPDATE_INVOICE') && (
            <Button variant="subtle" color="red" size="xs" onClick={() => setDialog('close')}>
              {t('finance.closeThePage')}
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
      said: t('finance.thePageIsOpen'),
      onDone: ({ data }) => {
        onOpened(data.url)
        onClose()
      },
    },
  )
  const errors = fieldErrors(open.error)
  return (
    <FormDialog
      opened
      title={t('finance.createPaymentLink')}
      submit={t('common.open')}
      isBusy={open.isPending}
      error={open.error}
      onSubmit={(form) => open.mutate(textIn(form, 'lastDay'))}
      onClose={onClose}
    >
      <TextInput
        label={t('finance.until')}
        name="lastDay"
        type="date"
        error={errors['expiresAt']}
        description={isOpen ? t('finance.emptyUntilItIsClosed') : t('finance.emptyUntilItIsClosed2')}
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
    said: t('finance.thePageIsClosed'),
    onDone: () => {
      onClosed()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={t('finance.turnOffThisPaymentLink')}
      confirm={t('finance.closeThePage')}
      isDestructive
      isBusy={shut.isPending}
      error={shut.error}
      onConfirm={() => shut.mutate(undefined)}
      onClose={onClose}
    >
      {t('finance.whoeverHasItsAddressSees')}
    </ConfirmDialog>
  )
}
