import type { Database } from '@crm/db'
import { doApart, type Logger } from '@crm/runtime'
import { settleSent, type QueuedMail } from './mail-queue.ts'

/** Notes of mail that reached all its recipients; notes of the same time share one statement. */
export interface MailOutcomes {
  /** Notes a mail. Resolves when the note is stored or failed to be; in the second case the mail is sent once more. */
  note(mail: QueuedMail): Promise<void>
  /** Waits for the noted mail, because the server does not wait for guests who left without their answer. */
  close(): Promise<void>
}

/** Starts to take notes: the first is stored at once, and the notes that come meanwhile are stored together after it. */
export function createMailOutcomes({ db, logger }: { readonly db: Database; readonly logger: Logger }): MailOutcomes {
  let underWay = Promise.resolve()
  let gathered: QueuedMail[] | undefined

  const storeAfter = async (earlier: Promise<void>, mails: readonly QueuedMail[]): Promise<void> => {
    await earlier
    gathered = undefined
    await doApart(
      mails,
      (some) => settleSent(db, some),
      async ({ workspaceId, bookingId }, error) =>
        logger.error({ err: error, workspaceId, bookingId }, 'what became of a booking mail could not be stored'),
    )
  }

  return {
    note: (mail) => {
      if (!gathered) {
        gathered = []
        underWay = storeAfter(underWay, gathered)
      }
      gathered.push(mail)
      return underWay
    },
    close: () => underWay,
  }
}
