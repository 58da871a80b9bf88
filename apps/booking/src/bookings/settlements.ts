import type { Database } from '@crm/db'
import type { Logger } from '@crm/runtime'
import { setTimeout as waitMs } from 'node:timers/promises'
import { settleSent, type QueuedMail } from './mail-queue.ts'

/** Notes of mail that went to everybody it was for; those of a moment are stored by one statement. */
export interface Settlements {
  /** Notes mail and resolves when that is stored, or could not be: then it is sent once more. */
  note(mail: QueuedMail): Promise<void>
  /** Waits for what was noted; guests who left without their answer are not waited for by the server. */
  close(): Promise<void>
}

const gatherMs = 5

/** Starts to take notes. */
export function createSettlements({ db, logger }: { readonly db: Database; readonly logger: Logger }): Settlements {
  let gathered: { readonly mails: QueuedMail[]; readonly stored: Promise<void> } | undefined

  const gather = () => {
    const mails: QueuedMail[] = []
    const store = async (): Promise<void> => {
      await waitMs(gatherMs)
      gathered = undefined
      await settleSent(db, mails).catch((error: unknown) => logger.error({ err: error }, 'what became of booking mails could not be stored'))
    }
    return { mails, stored: store() }
  }

  return {
    note: (mail) => {
      gathered ??= gather()
      gathered.mails.push(mail)
      return gathered.stored
    },
    close: async () => gathered?.stored,
  }
}
