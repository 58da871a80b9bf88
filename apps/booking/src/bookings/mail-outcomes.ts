import type { Database } from '@crm/db'
import type { Logger } from '@crm/runtime'
import { settleSent, type QueuedMail } from './mail-queue.ts'

/** Notes of mail that went to everybody it was for; those of one time are stored by one statement. */
export interface MailOutcomes {
  /** Notes mail and resolves when that is stored, or could not be: then it is sent once more. */
  note(mail: QueuedMail): Promise<void>
  /** Waits for what was noted; guests who left without their answer are not waited for by the server. */
  close(): Promise<void>
}

/** Starts to take notes: the first goes at once, and what comes while it is being stored goes together after it. */
export function createMailOutcomes({ db, logger }: { readonly db: Database; readonly logger: Logger }): MailOutcomes {
  let underWay = Promise.resolve()
  let gathered: QueuedMail[] | undefined

  const storeAfter = async (earlier: Promise<void>, mails: readonly QueuedMail[]): Promise<void> => {
    await earlier
    gathered = undefined
    await settleSent(db, mails).catch((error: unknown) =>
      logger.error({ err: error }, 'what became of booking mails could not be stored'),
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
