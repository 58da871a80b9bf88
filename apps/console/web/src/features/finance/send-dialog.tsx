import { Textarea, TextInput } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { kindWords, type FinanceKind, type FinanceRecord } from '../../domain/finance/finance-words.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { BeforeSending } from './before-sending.tsx'
import { t } from './texts.ts'
import { capitalized } from '../../base/texts.ts'

/** A mail with a document, in the API's form. */
export interface DocumentMail {
  readonly to: string[]
  readonly cc: string[]
  readonly subject?: string
  readonly message?: string
}

interface SendDialogProps {
  readonly kind: FinanceKind
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
export function SendDialog({
  kind,
  record,
  title,
  mayBeNobody = false,
  isBusy,
  error,
  onSend,
  onClose,
}: SendDialogProps) {
  const usual = useUsualMail(kind, record)
  const [typed, setTyped] = useState<Partial<UsualMail>>({})
  const text = (name: keyof UsualMail) => ({
    name,
    value: typed[name] ?? usual[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  const errors = fieldErrors(error)
  const errorOf = (field: 'to' | 'cc') =>
    Object.entries(errors).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1]
  return (
    <FormDialog
      opened
      title={title}
      submit={t('Send')}
      isBusy={isBusy}
      error={error}
      onSubmit={(form) => onSend(readMail(form))}
      onClose={onClose}
    >
      <TextInput
        label={t('To')}
        {...text('to')}
        inputMode="email"
        required={!mayBeNobody}
        data-autofocus
        error={errorOf('to')}
        description={
          mayBeNobody
            ? t('Separate addresses with commas. Leave empty to only mark it as sent.')
            : t('Separate addresses with commas')
        }
        autoComplete="off"
      />
      <TextInput label={t('Copy to')} name="cc" inputMode="email" error={errorOf('cc')} autoComplete="off" />
      <TextInput
        label={t('Subject')}
        {...text('subject')}
        maxLength={200}
        error={errors['subject']}
        autoComplete="off"
      />
      <Textarea label={t('Message')} {...text('message')} autosize minRows={5} maxRows={12} error={errors['message']} />
      <BeforeSending kind={kind} record={record} />
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

/** The parts of a mail that are filled in from the start. */
interface UsualMail {
  readonly to: string
  readonly subject: string
  readonly message: string
}

/** Returns a mail to the contact of a document, or to its company, as far as the person may see them. */
function useUsualMail(kind: FinanceKind, record: FinanceRecord): UsualMail {
  const { person } = useSession()
  const { data: recipient = nobody } = useQuery(recipientQuery(record, useSession().may))
  const title = [capitalized(kindWords[kind].one), record.number].filter(Boolean).join(' ')
  const sender = person.name
  return {
    to: recipient.email ?? '',
    subject: t('{title} from {seller}', { title, seller: person.workspace.name }),
    message:
      recipient.name === null
        ? t('Hello,\n\nplease find attached: {title}.\n\nBest regards\n{sender}', { title, sender })
        : t('Hello {name},\n\nplease find attached: {title}.\n\nBest regards\n{sender}', {
            name: recipient.name,
            title,
            sender,
          }),
  }
}

const nobody = { email: null, name: null }

function recipientQuery({ contactId, companyId }: FinanceRecord, may: ReturnType<typeof useSession>['may']) {
  return queryOptions({
    queryKey: ['recipient', contactId, companyId],
    queryFn: async (): Promise<{ readonly email: string | null; readonly name: string | null }> => {
      const contact =
        contactId !== null && may('VIEW_CONTACT') ? (await crm.contacts.get({ params: { id: contactId } })).data : null
      const name = contact === null ? null : [contact.firstName, contact.lastName].filter(Boolean).join(' ')
      if (contact?.email) return { email: contact.email, name }
      const company =
        companyId !== null && may('VIEW_COMPANY') ? (await crm.companies.get({ params: { id: companyId } })).data : null
      return { email: company?.email ?? null, name }
    },
  })
}
