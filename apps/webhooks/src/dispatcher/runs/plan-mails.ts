import type { PlainStep } from '@crm/contract'
import { compileValue, render } from '@crm/templates'
import { z } from 'zod'
import { StepFailed } from './outcome.ts'

type MailStep = Extract<PlainStep, { readonly type: 'SEND_EMAIL' }>

/** A mail step with its templates filled: one message for each recipient. */
export interface PlannedMails {
  readonly recipients: readonly string[]
  readonly subject: string
  readonly text: string
}

const recipientsMax = 20
const subjectCharactersMax = 500

/** Makes the mails of a step for some data; a text that is no address is refused before any mail is sent. */
export function planMails({ to, subject, body }: MailStep, data: unknown): PlannedMails {
  const fill = (template: string | readonly string[]): unknown =>
    render(compileValue(typeof template === 'string' ? template : [...template]), data)
  const recipients = [...new Set(toAddresses(fill(to)))]
  if (recipients.length === 0) throw new StepFailed('STEP_FAILED', 'The mail has no recipient')
  if (recipients.length > recipientsMax)
    throw new StepFailed('STEP_FAILED', `The mail has more than ${recipientsMax} recipients`)
  const wrong = recipients.filter((address) => !z.email().safeParse(address).success)
  if (wrong.length > 0) throw new StepFailed('STEP_FAILED', `Not an email address: ${wrong.join(', ')}`)
  return {
    recipients,
    subject: toText(fill(subject)).replaceAll(/\s+/g, ' ').trim().slice(0, subjectCharactersMax),
    text: toText(fill(body)),
  }
}

/** Addresses from a text with commas, a list, or a variable that holds either. */
function toAddresses(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toAddresses)
  return typeof value === 'string'
    ? value
        .split(',')
        .map((address) => address.trim())
        .filter((address) => address !== '')
    : []
}

function toText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
