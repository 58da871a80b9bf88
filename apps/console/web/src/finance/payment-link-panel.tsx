import type { InvoiceRecord } from '@crm/contract'
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { crm } from '../api.ts'
import { textIn } from '../form-text.ts'
import { fieldErrors } from '../refusals.ts'
import { useSession } from '../session.ts'
import { FormDialog } from '../settings/form-dialog.tsx'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { CopyButton } from '../shell/copy-button.tsx'
import { Panel } from '../shell/page.tsx'
import classes from './finance.module.css'
import { useVerb } from './use-verb.ts'

/** The public page of an invoice: open one, hand its address out, close it. */
export function PaymentLinkPanel({ invoice }: { readonly invoice: InvoiceRecord }) {
  const { may } = useSession()
  const [dialog, setDialog] = useState<'open' | 'close' | null>(null)
  // Without a secret of the installation the address is told only now.
  const [told, setTold] = useState<string | null>(null)
  const url = invoice.paymentLinkUrl ?? told
  const mayUpdate = may('UPDATE_INVOICE')
  if (url === null && !mayUpdate) return null
  return (
    <Panel title="Public page" note="Shows the invoice and how to pay it to whoever has the address.">
      <Stack gap="sm">
        {url === null
          ? <Text size="sm" c="dimmed">No page whose address is known here</Text>
          : <Anchor href={url} target="_blank" rel="noreferrer" className={classes.address}>{url}</Anchor>}
        <Group gap="sm">
          {url !== null && <CopyButton text={url} label="Copy address" size="xs" />}
          {mayUpdate && <Button variant="default" size="xs" onClick={() => setDialog('open')}>{url === null ? 'Open a page' : 'New address'}</Button>}
          {mayUpdate && url !== null && <Button variant="subtle" color="red" size="xs" onClick={() => setDialog('close')}>Close the page</Button>}
        </Group>
      </Stack>
      {dialog === 'open' && <OpenDialog invoiceId={invoice.id} isOpen={url !== null} onOpened={setTold} onClose={() => setDialog(null)} />}
      {dialog === 'close' && <CloseDialog invoiceId={invoice.id} onClosed={() => setTold(null)} onClose={() => setDialog(null)} />}
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
    (lastDay: string) => crm.invoices.paymentLink({ params: { id: invoiceId }, body: { expiresAt: lastDay === '' ? null : new Date(`${lastDay}T23:59:59`).toISOString() } }),
    {
      said: 'The page is open',
      onDone: ({ data }) => {
        onOpened(data.url)
        onClose()
      },
    },
  )
  const errors = fieldErrors(open.error)
  return (
    <FormDialog opened title="Open a public page" submit="Open" isBusy={open.isPending} error={open.error} onSubmit={(form) => open.mutate(textIn(form, 'lastDay'))} onClose={onClose}>
      <TextInput label="Until" name="lastDay" type="date" error={errors['expiresAt']} description={isOpen ? 'Empty: until it is closed. The address of now stops working.' : 'Empty: until it is closed'} />
    </FormDialog>
  )
}

function CloseDialog({ invoiceId, onClosed, onClose }: { readonly invoiceId: string; onClosed(): void; onClose(): void }) {
  // A page that is over at once takes the place of the one that is open.
  const shut = useVerb(() => crm.invoices.paymentLink({ params: { id: invoiceId }, body: { expiresAt: new Date().toISOString() } }), {
    said: 'The page is closed',
    onDone: () => {
      onClosed()
      onClose()
    },
  })
  return (
    <ConfirmDialog opened title="Close the public page?" confirm="Close the page" isDestructive isBusy={shut.isPending} error={shut.error} onConfirm={() => shut.mutate(undefined)} onClose={onClose}>
      Whoever has its address sees nothing from then on.
    </ConfirmDialog>
  )
}
