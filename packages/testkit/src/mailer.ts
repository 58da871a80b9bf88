import { recipientsOf, type Mailer, type MailMessage, type MailOutcome } from '@crm/mail'

/** What a mailer of a test does with a message before it counts as sent; an error of it is thrown on. */
type Take = (message: MailMessage) => unknown

/** Returns the outcome of a message that everybody gets. */
function sentToAll(message: MailMessage, only?: readonly string[]): MailOutcome {
  return { sent: only ?? recipientsOf(message), refused: [], waiting: [], unknown: [] }
}

/** Makes a mailer for tests about something else than mail: it gives each message to `take`, and everybody gets it. */
export function mailerTo(take: Take, from = 'crm@service.test'): Mailer {
  return {
    from,
    send: async (message, { only, onHandedOver } = {}) => {
      await take(message)
      onHandedOver?.()
      return sentToAll(message, only)
    },
  }
}
