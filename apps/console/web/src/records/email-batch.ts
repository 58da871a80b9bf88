import { crm } from '../base/api.ts'
import { t } from '../base/texts.ts'
import { describeRefusal } from '../base/refusals.ts'
import { notify, notifyProgress } from '../shell/notices.tsx'
import type { AnyRecord } from './record-calls.ts'

/** The most records that get an email at once. */
export const emailedMax = 100

/** The place of a first name in a text. */
export const firstNamePlace = t("'{'first name'}'")

/** An email to many people. */
export interface WrittenEmail {
  readonly subject: string
  readonly message: string
}

/** Returns the records that an email can go to, each address once. */
export function emailable(rows: readonly AnyRecord[]): readonly AnyRecord[] {
  const byAddress = new Map<string, AnyRecord>()
  for (const row of rows) {
    const address = addressOf(row)
    if (address !== '' && !byAddress.has(address)) byAddress.set(address, row)
  }
  return [...byAddress.values()]
}

/** Returns a text with the first name of a record, or its name, in the places for it. */
function addressedTo({ firstName, name, companyName }: AnyRecord, text: string): string {
  const called = [firstName, name, companyName].find((one): one is string => typeof one === 'string' && one !== '')
  return text.replaceAll(firstNamePlace, () => called ?? '')
}

/** Sends an email to each record, one after the other, and tells how many were sent. A refusal ends the sending. */
export async function sendEach(entityType: string, rows: readonly AnyRecord[], email: WrittenEmail): Promise<void> {
  const notice = notifyProgress(t('Sending emails'))
  let count = 0
  try {
    for (const row of rows) {
      await crm.activities.sendEmail({
        body: {
          to: [addressOf(row)],
          subject: addressedTo(row, email.subject),
          message: addressedTo(row, email.message),
          links: [{ entityType, entityId: row.id }],
        },
      })
      count += 1
      notice.show(count / rows.length)
    }
    notify(t('{count, plural, one {# email sent} other {# emails sent}}', { count }))
  } catch (error) {
    const { title, text } = describeRefusal(error)
    notify(
      `${t('{sent}. The rest was not sent.', { sent: t('{count, plural, one {# email sent} other {# emails sent}}', { count }) })} ${title}. ${text}`,
    )
  } finally {
    notice.close()
  }
}

function addressOf({ email }: AnyRecord): string {
  return typeof email === 'string' ? email.trim().toLowerCase() : ''
}
