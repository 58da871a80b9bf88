import type { Database } from '@crm/db'
import { doApart, type Logger } from '@crm/runtime'
import type { MailOutcomes } from '../platform/deps.ts'
import { settleSent, type QueuedMail } from './mail-queue.ts'

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
