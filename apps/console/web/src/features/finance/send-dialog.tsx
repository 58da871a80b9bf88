import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import type { FinanceRecord } from '../../domain/finance/finance-words.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { t } from '../../base/texts.ts'

/** A mail with a document, in the API's form. */
export interface DocumentMail {
  readonly to: string[]
  readonly cc: string[]
  readonly subject?: string
  readonly message?: string
}

interface SendDialogProps {
  readonly record: FinanceRecord
  readonly title: string
  /** Whether it may have no recipient: then the document is only marked as sent. */
  readonly mayBeNobody?: boolean
  readonly isBusy: boolean
  readonly error: unknown
  onSend(mail: DocumentMail): void
  onClose(): void
}

/** Asks for the recipients of a document. */
export function SendDialog({ record, title, mayBeNobody = false, isBusy, error, onSend, onClose }: SendDialogProps) {
  const usual = useUsualRecipient(record)
  const [to, setTo] = useState<string | null>(null)
  const errors = fieldErrors(error)
  const errorOf = (field: 'to' | 'cc') =>
    Object.entries(errors).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1]
  return (
    <FormDialog
      opened
      title={title}
      submit={t('finance.send')}
      isBusy={isBusy}
      error={error}
      onSubmit={(form) => onSend(readMail(form))}
      onClose={onClose}
    >
      <TextInput
        label={t('common.to')}
        name="to"
        inputMode="email"
        required={!mayBeNobody}
        data-autofocus
        value={to ?? usual}
        onChange={(event) => setTo(event.currentTarget.value)}
        error={errorOf('to')}
        description={
          mayBeNobody ? t('finance.separateAddressesWithCommasLeave') : t('finance.separateAddressesWithCommas')
        }
        autoComplete="off"
      />
      <TextInput label={t('finance.copyTo')} name="cc" inputMode="email" error={errorOf('cc')} autoComplete="off" />
      <TextInput
        label={t('common.subject')}
        name="subject"
        maxLength={200}
        error={errors['subject']}
        placeholder={t('finance.default')}
        autoComplete="off"
      />
      <Textarea
        label={t('common.message')}
        name="message"
        rows={4}
        error={errors['message']}
        placeholder={t('finance.default')}
      />
    </FormDialog>
  )
}

function readMail(form: FormData): DocumentMail {
  const addresses = (name: string) =>
    textIn(form, name)
      .split(/[,;\s]+/)
      .filter((address) => address !== '')
  const [subject, message] = [textIn(form, 'subject').trim(), textIn(form, 'message').trim()]
  return {
    to: addresses('to'),
    cc: addresses('cc'),
    ...(subject === '' ? {} : { subject }),
    ...(message === '' ? {} : { message }),
  }
}

/** Returns the email address of the contact, or of the company, as far as the person may see them. */
function useUsualRecipient({ contactId, companyId }: FinanceRecord): string {
  const { may } = useSession()
  const { data } = useQuery({
    queryKey: ['recipient', contactId, companyId],
    queryFn: async () => {
      const ofContact =
        contactId !== null && may('VIEW_CONTACT')
          ? (await crm.contacts.get({ params: { id: contactId } })).data.email
          : null
      return (
        ofContact ??
        (companyId !== null && may('VIEW_COMPANY')
          ? (await crm.companies.get({ params: { id: companyId } })).data.email
          : null)
      )
    },
  })
  return data ?? ''
}
